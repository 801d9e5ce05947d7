// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * What the calling thread has cost: its CPU, user and system time, in ns since it started.
 *
 * <p>Times never decrease, and between two readings of a thread its user time grows by no more than its CPU time; CPU
 * time = user time + system time. (Sources and splits for comparison, which only the agent's options choose, promise
 * neither.) CPU time is exact; its division is sampled by the kernel at clock ticks, so the user time of a single
 * millisecond is an estimate.
 *
 * <p>All methods are thread-safe. Those that return a {@code long}, and {@link #read(TimesHolder)}, allocate nothing
 * and cost one time-stamp-counter read and a native call while the thread has not been switched out since its last
 * reading, else one or two system calls. The first use of this class loads the native library; the first reading of the
 * process tests the sources, for a few milliseconds.
 *
 * <p>A virtual thread has no times of its own in the kernel, and those of its carrier would be wrong figures: every
 * reading refuses it with {@link UnsupportedOperationException}. ({@code ThreadMXBean} answers -1 there, and the
 * difference of two such answers looks like 0 ns.)
 */
public final class ThreadClock {
    private static final NativeLibrary LIBRARY = NativeLibrary.load();

    /** A constant, so that a compiled reading has no trace of the check. */
    private static final boolean SUPPORTED = LIBRARY.isLoaded();

    private ThreadClock() {}

    /** Whether readings are possible: this is Linux on x86_64 or aarch64, and the native library could be loaded. */
    public static boolean isSupported() {
        return SUPPORTED;
    }

    /**
     * CPU time of the calling thread, in ns since it started; ≥ 0.
     *
     * @throws ClockUnavailableException if {@link #isSupported()} is false, or the kernel has no thread CPU clocks
     * @throws UnsupportedOperationException if the calling thread is virtual
     */
    public static long cpuTimeNs() {
        refuseUnlessReadable();
        return figure(NativeClock.cpuTimeNs());
    }

    /**
     * User time of the calling thread, in ns since it started; from 0 to its CPU time.
     *
     * @throws ClockUnavailableException as {@link #cpuTimeNs()}
     * @throws UnsupportedOperationException if the calling thread is virtual
     */
    public static long userTimeNs() {
        refuseUnlessReadable();
        return figure(NativeClock.userTimeNs());
    }

    /**
     * System time of the calling thread, in ns since it started; from 0 to its CPU time.
     *
     * @throws ClockUnavailableException as {@link #cpuTimeNs()}
     * @throws UnsupportedOperationException if the calling thread is virtual
     */
    public static long systemTimeNs() {
        refuseUnlessReadable();
        return figure(NativeClock.systemTimeNs());
    }

    /**
     * CPU, user and system time of the calling thread in one consistent reading. Allocates nothing; costs what one of
     * them costs.
     *
     * @param holder out; untouched on error
     * @throws ClockUnavailableException as {@link #cpuTimeNs()}
     * @throws UnsupportedOperationException if the calling thread is virtual
     */
    public static void read(TimesHolder holder) {
        refuseUnlessReadable();
        int error = holder.read();
        if (error != 0) {
            throw refused(error);
        }
    }

    /**
     * CPU, user and system time of the calling thread in one consistent reading, as a value. Allocates it and an array,
     * and costs twice what {@link #read(TimesHolder)} does.
     *
     * @throws ClockUnavailableException as {@link #cpuTimeNs()}
     * @throws UnsupportedOperationException if the calling thread is virtual
     */
    public static ThreadTimes read() {
        refuseUnlessReadable();
        long[] timesNs = new long[3];
        int error = NativeClock.copy(timesNs);
        if (error != 0) {
            throw refused(error);
        }
        return new ThreadTimes(timesNs[0], timesNs[1]);
    }

    /**
     * The source in use. It may change: the clock gives up a source that has failed its continuous check.
     *
     * @throws ClockUnavailableException if {@link #isSupported()} is false
     */
    public static ClockSource source() {
        refuseUnlessSupported();
        return ClockSource.of(NativeClock.source());
    }

    /**
     * How CPU time is divided into user and system time.
     *
     * @throws ClockUnavailableException if {@link #isSupported()} is false
     */
    public static TimeSplit split() {
        refuseUnlessSupported();
        return TimeSplit.of(NativeClock.split());
    }

    /**
     * Says in words which source is in use and why the better ones are not, a line each; where {@link #isSupported()}
     * is false, why.
     */
    public static String explanation() {
        return SUPPORTED ? NativeClock.explanation() : LIBRARY.refusal().getMessage();
    }

    static void refuseUnlessSupported() {
        if (!SUPPORTED) {
            throw LIBRARY.refusal();
        }
    }

    private static void refuseUnlessReadable() {
        refuseUnlessSupported();
        if (VirtualThreads.isCurrent()) {
            throw new UnsupportedOperationException("Reading the CPU time of a virtual thread: the kernel knows only"
                    + " that of its carrier, which other virtual threads use too. Read it in a platform thread.");
        }
    }

    private static long figure(long answer) {
        if (NativeClock.isErrno(answer)) {
            throw refused((int) answer);
        }
        return answer;
    }

    private static ClockUnavailableException refused(int error) {
        return new ClockUnavailableException("Reading the thread's CPU clock failed: errno " + -error
                + ". The kernel or a sandbox refuses it: allow clock_gettime on thread CPU clocks. "
                + NativeClock.explanation());
    }
}
