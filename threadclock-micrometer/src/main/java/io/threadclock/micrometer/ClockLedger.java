// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.ClockStats;
import io.threadclock.ResyncCause;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.ToLongFunction;

/**
 * The clock's counts, made monotone: a thread that ends while they are summed may be counted one time more, and a
 * counter that falls is a restart to those who read it. Thread-safe.
 */
final class ClockLedger {
    /** A resync is one; where the window was over, the continuous check and the split are one each more. */
    private static final int MORE_CALLS_OF_WINDOW = 2;

    /** Of a thread's first: its tid, its record, its split, and the process's, as strace counts them. */
    private static final int MORE_CALLS_OF_FIRST = 7;

    /** It has been tried three times. */
    private static final int MORE_CALLS_OF_LOST = 2;

    private final DoubleSupplier resyncNs;
    private final Map<ResyncCause, Long> resyncs = new EnumMap<>(ResyncCause.class);
    private long lost;
    private long demotions;
    private long readers;
    private double spentNs;

    /**
     * Counts nothing yet.
     *
     * @param resyncNs what a resync takes, as far as is known; NaN while it is not
     */
    ClockLedger(DoubleSupplier resyncNs) {
        this.resyncNs = resyncNs;
    }

    void add(ClockStats stats) {
        add(stats::resyncs, stats.lost(), stats.demotions(), stats.threads());
    }

    synchronized void add(ToLongFunction<ResyncCause> counts, long lostNow, long demotionsNow, long readersNow) {
        long more = 0;
        for (ResyncCause cause : ResyncCause.values()) {
            long before = resyncs(cause);
            long now = Math.max(before, counts.applyAsLong(cause));
            resyncs.put(cause, now);
            more += now - before;
        }
        double ns = resyncNs.getAsDouble();
        spentNs += Double.isNaN(ns) ? 0 : more * ns;
        lost = Math.max(lost, lostNow);
        demotions = Math.max(demotions, demotionsNow);
        readers = readersNow;
    }

    synchronized long resyncs(ResyncCause cause) {
        return resyncs.getOrDefault(cause, 0L);
    }

    /** Estimated: what the causes make likely. */
    synchronized long systemCalls() {
        long all = resyncs.values().stream().mapToLong(Long::longValue).sum();
        return all
                + MORE_CALLS_OF_WINDOW * resyncs(ResyncCause.WINDOW)
                + MORE_CALLS_OF_FIRST * resyncs(ResyncCause.FIRST)
                + MORE_CALLS_OF_LOST * lost;
    }

    synchronized long spentNs() {
        return (long) spentNs;
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
