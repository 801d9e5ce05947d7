// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.diagnostics.ClockStats;
import io.threadclock.diagnostics.ResyncCause;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The clock's counts, made monotone. A thread that ends while they are summed may be counted once too often, and a
 * counter that falls looks like a restart. Thread-safe.
 */
final class ClockLedger {
    /** A resync is one system call. At the end of a window, the continuous check and the split make one more each. */
    private static final int MORE_CALLS_OF_WINDOW = 2;

    /**
     * The further system calls of a thread's first reading: its tid, its signals, its record, its split, and the
     * process's, as strace counts them.
     */
    private static final int MORE_CALLS_OF_FIRST = 9;

    /** It has been tried three times. */
    private static final int MORE_CALLS_OF_LOST = 2;

    private final ToDoubleFunction<ResyncCause> resyncNs;
    private final Map<ResyncCause, Long> resyncs = new EnumMap<>(ResyncCause.class);
    private long lost;
    private long demotions;
    private long readers;
    private double resyncsNs;

    /**
     * Counts nothing yet.
     *
     * @param resyncNs the time of a resync for that cause; NaN while it is unknown
     */
    ClockLedger(ToDoubleFunction<ResyncCause> resyncNs) {
        this.resyncNs = resyncNs;
    }

    void add(ClockStats stats) {
        add(stats::resyncs, stats.lost(), stats.demotions(), stats.threads());
    }

    synchronized void add(ToLongFunction<ResyncCause> counts, long lostNow, long demotionsNow, long readersNow) {
        for (ResyncCause cause : ResyncCause.values()) {
            long before = resyncs(cause);
            long now = Math.max(before, counts.applyAsLong(cause));
            resyncs.put(cause, now);
            resyncsNs += costNs(now - before, resyncNs.applyAsDouble(cause));
        }
        lost = Math.max(lost, lostNow);
        demotions = Math.max(demotions, demotionsNow);
        readers = readersNow;
    }

    private static double costNs(long count, double eachNs) {
        return Double.isNaN(eachNs) ? 0 : count * eachNs;
    }

    synchronized long resyncs(ResyncCause cause) {
        return resyncs.getOrDefault(cause, 0L);
    }

    /** The estimated number of system calls: those that the causes make likely. */
    synchronized long systemCalls() {
        long all = resyncs.values().stream().mapToLong(Long::longValue).sum();
        return all
                + MORE_CALLS_OF_WINDOW * resyncs(ResyncCause.WINDOW)
                + MORE_CALLS_OF_FIRST * resyncs(ResyncCause.FIRST)
                + MORE_CALLS_OF_LOST * lost;
    }

    /** The time that resyncs have taken, each as long as when they were counted. */
    synchronized long resyncsNs() {
        return (long) resyncsNs;
    }

    synchronized long lost() {
        return lost;
    }

    synchronized long demotions() {
        return demotions;
    }

    synchronized long readers() {
        return readers;
    }
}
