// SPDX-License-Identifier: Apache-2.0
package io.threadclock.diagnostics;

import java.util.Arrays;

/**
 * Counts of what the clock has done in this process, from its first reading until {@code ThreadClock.stats()} was
 * called, ended threads included; immutable. The counts of a thread that ends or reads at that moment may be off by
 * one, so take the greater of two successive results.
 *
 * @since 0.1
 */
public final class ClockStats {
    private static final ResyncCause[] CAUSES = ResyncCause.values();
    private static final int LOST = CAUSES.length;
    private static final int DEMOTIONS = LOST + 1;
    private static final int THREADS = LOST + 2;
    private static final int THREADS_OBSERVED = LOST + 3;
    private static final int THREADS_SUSPECTED = LOST + 4;
    private static final int THREADS_UNSAMPLED = LOST + 5;

    /** How many counts there are. */
    public static final int COUNTS = LOST + 6;

    private final long[] counts;

    /**
     * For {@code ThreadClock.stats()}, and for tests of what uses it.
     *
     * @param counts the {@link #COUNTS} of them, in the order of this class's methods
     */
    public ClockStats(long... counts) {
        this.counts = Arrays.copyOf(counts, COUNTS);
    }

    /** {@return how many readings of threads by themselves asked the kernel, whatever the cause} */
    public long resyncs() {
        return Arrays.stream(counts, 0, LOST).sum();
    }

    /**
     * {@return how many readings asked the kernel for one cause}
     *
     * @param cause why
     */
    public long resyncs(ResyncCause cause) {
        return counts[cause.ordinal()];
    }

    /** {@return how many resyncs were disturbed three times; the thread's next reading asks again} */
    public long lost() {
        return counts[LOST];
    }

    /** {@return how many sources have failed the continuous check and been given up; 0 to 3} */
    public long demotions() {
        return counts[DEMOTIONS];
    }

    /** {@return how many living threads have read themselves} */
    public long threads() {
        return counts[THREADS];
    }

    /** {@return how many records belong to threads that only others have read, or that have ended} */
    public long threadsObserved() {
        return counts[THREADS_OBSERVED];
    }

    /**
     * {@return how many living threads sleep too often to be divided by clock ticks} With the split {@code smoothed}
     * such a thread is sampled for short times, which take 1 % of its CPU time at most.
     */
    public long threadsSuspected() {
        return counts[THREADS_SUSPECTED];
    }

    /** {@return how many of them cannot be sampled, because perf events are refused; their split is a guess} */
    public long threadsUnsampled() {
        return counts[THREADS_UNSAMPLED];
    }

    @Override
    public String toString() {
        return resyncs() + " resyncs, " + demotions() + " demotions, " + threads() + " threads";
    }
}
