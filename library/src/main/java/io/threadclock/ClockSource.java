// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * Where readings come from. The order is that of {@code enum tclk_source}, without its {@code auto}.
 *
 * @since 0.1
 */
public enum ClockSource {
    /** The time-stamp counter between two switches of the thread, which an rseq area detects. */
    RSEQ,
    /** The time-stamp counter between two switches of the thread, which a mapped perf page detects. */
    PERF,
    /** One system call a read. */
    CLOCK,
    /** The raw tick counter, as JDK 26 reads user time; for comparison: neither monotone nor consistent. */
    TICKS,
    /** {@code /proc/self/task/TID/stat}, as JDK 8 to 25 read user time; for comparison, as {@link #TICKS}. */
    PROC,
    /** The time-stamp counter between two switches of the thread, which the ids of an rseq area of its own detect. */
    IDS,
    /** The JDK's own {@code ThreadMXBean}, where {@link ThreadClock#isSupported()} is false. */
    THREAD_MX_BEAN;

    private static final ClockSource[] ALL = values();

    /** The source with the number that the native library has for it, which counts from 1. */
    static ClockSource of(int number) {
        return ALL[number - 1];
    }
}
