// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import java.util.Map;

/**
 * What the child has counted up to a moment.
 *
 * @param readings of CPU and user time, of which each was judged
 * @param switches readings right after which or in which the thread was switched out
 * @param breaches of each kind that there were any of
 * @param firsts the first of each kind, in words
 */
public record Counts(long readings, long switches, Map<Breach, Long> breaches, Map<Breach, String> firsts) {
    /** Before anything was read. */
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
