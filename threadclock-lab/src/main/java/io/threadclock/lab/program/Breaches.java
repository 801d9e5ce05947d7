// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** The readings of all threads, and the breaches found in them. Thread-safe. */
public final class Breaches {
    private final LongAdder readings = new LongAdder();
    private final LongAdder switches = new LongAdder();
    private final AtomicLongArray counts = new AtomicLongArray(Breach.values().length);
    private final Map<Breach, String> firsts = new ConcurrentHashMap<>();

    void reading() {
        readings.increment();
    }

    /**
     * Counts a reading between two looks at the kernel, in which, or just before which, the thread was switched out.
     */
    void switched() {
        switches.increment();
    }

    /** Counts a breach if {@code broken}. {@code detail} is its size. */
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

    /** The counts so far. */
    Counts counts() {
        Map<Breach, Long> found = new EnumMap<>(Breach.class);
        for (Breach breach : Breach.values()) {
            if (count(breach) > 0) {
                found.put(breach, count(breach));
            }
        }
        return new Counts(readings.sum(), switches.sum(), found, Map.copyOf(firsts));
    }

    /** The kinds of breaches. */
    public enum Breach {
        BELOW_KERNEL("below the kernel's clock read before"),
        ABOVE_KERNEL("above the kernel's clock read after, and what was stolen"),
        MISSED_SWITCH("ahead of the kernel after a switch"),
        NO_SUM("user + system time ≠ CPU time"),
        BACKWARDS("less than the reading before"),
        USER_ABOVE_CPU("user time grew by more than CPU time"),
        OTHERS_DISAGREE("less than what another thread had read"),
        WRONG_ANSWER("a figure for an ended or virtual thread, or none for a live one"),
        EXCEPTION("exceptions");

        private final String title;

        Breach(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    /**
     * The child's counts up to a moment.
     *
     * @param readings of CPU and user time, of which each was judged
     * @param switches readings right after which or in which the thread was switched out
     * @param breaches of each kind that there were any of
     * @param firsts the first of each kind, in words
     */
    public record Counts(long readings, long switches, Map<Breach, Long> breaches, Map<Breach, String> firsts) {
        /** The counts before anything was read. */
        public static Counts none() {
            return new Counts(0, 0, Map.of(), Map.of());
        }

        public long of(Breach breach) {
            return breaches.getOrDefault(breach, 0L);
        }

        public long ofAllBreaches() {
            return breaches.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
