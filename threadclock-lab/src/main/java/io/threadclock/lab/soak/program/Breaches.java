// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** What all threads have read and found wrong with it. Safe for use by several threads. */
final class Breaches {
    private final LongAdder readings = new LongAdder();
    private final LongAdder switches = new LongAdder();
    private final AtomicLongArray counts = new AtomicLongArray(Breach.values().length);
    private final Map<Breach, String> firsts = new ConcurrentHashMap<>();

    void reading() {
        readings.increment();
    }

    /** A reading between two looks at the kernel, between which, or just before, the thread was switched out. */
    void switched() {
        switches.increment();
    }

    /** Counts it if it is one. {@code detail} says by how much. */
    void check(boolean broken, Breach breach, String what, long detail) {
        if (broken) {
            add(breach, what + ": " + detail);
        }
    }

    void add(Breach breach, String detail) {
        counts.incrementAndGet(breach.ordinal());
        firsts.putIfAbsent(breach, detail);
    }

    long count(Breach breach) {
        return counts.get(breach.ordinal());
    }

    long readings() {
        return readings.sum();
    }

    /** So far. */
    Counts counts() {
        Map<Breach, Long> found = new EnumMap<>(Breach.class);
        for (Breach breach : Breach.values()) {
            if (count(breach) > 0) {
                found.put(breach, count(breach));
            }
        }
        return new Counts(readings.sum(), switches.sum(), found, Map.copyOf(firsts));
    }
}
