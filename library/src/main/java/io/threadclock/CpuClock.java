// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * A clock of the calling thread's CPU, user and system time, for code whose tests need times of their own choice.
 * Programs pass {@link #ofCallingThread()}, and tests a fake:
 *
 * <pre>{@code
 * CpuTimes[] times = {CpuTimes.of(0, 0)};
 * CpuStopwatch watch = new CpuStopwatch(() -> times[0]).start();
 * times[0] = CpuTimes.of(5_000_000, 3_000_000);
 * assertEquals(5_000_000, watch.stop());
 * }</pre>
 *
 * <p>As with {@link ThreadClock}, whose static methods cost less, the times of a thread never decrease, and user time
 * grows by no more than CPU time. Implementations must keep that.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface CpuClock {
    /**
     * {@return the real clock: {@link ThreadClock}} A stopwatch that is given this one costs as much as one without a
     * clock.
     */
    static CpuClock ofCallingThread() {
        return RealCpuClock.INSTANCE;
    }

    /**
     * {@return CPU, user and system time of the calling thread in one consistent reading} The real one allocates the
     * value and an array.
     *
     * @throws ClockUnavailableException as {@link ThreadClock#read()}
     * @throws UnsupportedOperationException if the calling thread is virtual and not measured
     */
    CpuTimes read();

    /**
     * {@return CPU time of the calling thread, in ns since it started} The real one allocates nothing.
     *
     * @throws ClockUnavailableException as {@link ThreadClock#cpuTimeNs()}
     * @throws UnsupportedOperationException if the calling thread is virtual and not measured
     */
    default long cpuTimeNs() {
        return read().cpuTimeNs();
    }

    /**
     * {@return user time of the calling thread, in ns since it started} The real one allocates nothing.
     *
     * @throws ClockUnavailableException as {@link ThreadClock#userTimeNs()}
     * @throws UnsupportedOperationException if the calling thread is virtual and not measured
     */
    default long userTimeNs() {
        return read().userTimeNs();
    }

    /** {@return whether the calling thread can be read; if not, readings throw} */
    default boolean canRead() {
        return true;
    }
}
