// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import io.threadclock.diagnostics.ClockStats;
import java.nio.Buffer;

/** The native functions of {@code jvm/java_clock.c}. Times are ns, or a negative errno. */
final class NativeClock {
    /** The greatest errno. A result below its negative is a time that a source for comparison returned. */
    private static final int MAX_ERRNO = 4095;

    private NativeClock() {}

    static native long cpuTimeNs();

    static native long userTimeNs();

    static native long systemTimeNs();

    /**
     * Writes CPU, user and system time to three longs outside the heap. Returns 0, or a negative errno.
     *
     * @param owner the object whose memory that is; it stays reachable until this returns
     */
    static native int read(long address, Object owner);

    /**
     * Writes the same three; then run-queue delay, voluntary and involuntary switches, -1 for what is unknown; and then
     * what {@link #wallNs} tells, of the same moment, or an earlier one. Returns 0, or a negative errno.
     *
     * @param owner the object whose memory that is
     */
    static native int readWithWaits(long address, Object owner);

    /** {@link System#nanoTime()}, but that it does not go back where a process is restored on another machine. */
    static native long wallNs();

    /** Writes run-queue delay, voluntary and involuntary switches to an array of three, -1 for what is unknown. */
    static native void waits(long[] waits);

    /** Writes CPU, user and system time to an array of three. Returns 0, or a negative errno. */
    static native int copy(long[] timesNs);

    /**
     * Addresses of native functions that do the first four for the calling thread, or say that they would have to ask
     * the kernel.
     */
    static native long[] criticalFunctions();

    static native long address(Buffer directBuffer);

    static native int source();

    static native int split();

    static native String explanation();

    /** Writes the counts of {@link ClockStats}, in its order. */
    static native void stats(long[] counts);

    /** Writes CPU, user and system time of the process to an array of three. Returns 0, or a negative errno. */
    static native int copyOfProcess(long[] timesNs);

    static boolean isErrno(long answer) {
        return answer < 0 && answer >= -MAX_ERRNO;
    }
}
