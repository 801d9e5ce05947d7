// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.diagnostics.ClockStats;
import io.threadclock.diagnostics.ResyncCause;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The clock's counts, made monotone. A thread that ends while they are summed may be counted once too often, and a
 * counter that falls looks like a restart. Thread-safe.
 */
final class ClockLedger {
    private final Map<ResyncCause, Long> resyncs = new EnumMap<>(ResyncCause.class);
    private long lost;
    private long demotions;

    void add(ClockStats stats) {
        add(stats::resyncs, stats.lost(), stats.demotions());
    }

    synchronized void add(ToLongFunction<ResyncCause> counts, long lostNow, long demotionsNow) {
        for (ResyncCause cause : ResyncCause.values()) {
            resyncs.merge(cause, counts.applyAsLong(cause), Math::max);
        }
        lost = Math.max(lost, lostNow);
        demotions = Math.max(demotions, demotionsNow);
    }

    synchronized long resyncs(ResyncCause cause) {
        return resyncs.getOrDefault(cause, 0L);
    }

    synchronized long lost() {
        return lost;
    }

    synchronized long demotions() {
        return demotions;
    }
}
