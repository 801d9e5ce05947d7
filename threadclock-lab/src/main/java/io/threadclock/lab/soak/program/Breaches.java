// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import io.threadclock.lab.demo.message.Message;
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

    /** The counts so far, and the first of each breach in words. */
    Message toMessage() {
        Message message = new Message(Counts.KIND)
                .with(Counts.READINGS, readings.sum())
                .with(Counts.SWITCHES, switches.sum());
        for (Breach breach : Breach.values()) {
            message.with(breach.name(), count(breach));
        }
        firsts.forEach((breach, detail) -> message.with(Counts.FIRST + breach.name(), detail.replaceAll("\\s+", "_")));
        return message;
    }
}
