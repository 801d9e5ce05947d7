// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import io.threadclock.lab.demo.message.Message;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What the child has counted up to a moment.
 *
 * @param readings of CPU and user time, of which each was judged
 * @param switches readings right after which or in which the thread was switched out
 * @param firsts the first of each kind of breach, in words
 */
public record Counts(long readings, long switches, Map<Breach, Long> breaches, List<String> firsts) {
    static final String KIND = "counts";
    static final String READINGS = "readings";
    static final String SWITCHES = "switches";
    static final String FIRST = "first.";

    /** Before anything was read. */
    public static Counts none() {
        Map<Breach, Long> zeros = new EnumMap<>(Breach.class);
        for (Breach breach : Breach.values()) {
            zeros.put(breach, 0L);
        }
        return new Counts(0, 0, zeros, List.of());
    }

    /** @throws IllegalArgumentException if the line is no message, or one of its fields is missing */
    public static Counts parse(String line) {
        Message message = Message.parse(line).orElseThrow(() -> new IllegalArgumentException("no counts: " + line));
        Map<Breach, Long> breaches = new EnumMap<>(Breach.class);
        List<String> firsts = new ArrayList<>();
        for (Breach breach : Breach.values()) {
            breaches.put(breach, message.number(breach.name()));
            if (message.number(breach.name()) > 0) {
                firsts.add(breach + ": " + message.text(FIRST + breach.name()).replace('_', ' '));
            }
        }
        return new Counts(message.number(READINGS), message.number(SWITCHES), breaches, firsts);
    }

    public long ofAllBreaches() {
        return breaches.values().stream().mapToLong(Long::longValue).sum();
    }
}
