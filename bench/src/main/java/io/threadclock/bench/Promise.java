// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import java.util.List;
import java.util.Locale;

/**
 * What the documents tell users, with room for a busy machine. Only bytes can be promised, and how contenders differ
 * that take turns, because what else runs happens to all. What could not be measured (NaN) breaks nothing.
 */
record Promise(String name, double measured, Sense sense, double bound) {
    enum Sense {
        AT_LEAST,
        AT_MOST
    }

    boolean isBroken() {
        return sense == Sense.AT_LEAST ? measured < bound : measured > bound;
    }

    static boolean areKept(List<Promise> promises) {
        return promises.stream().noneMatch(Promise::isBroken);
    }

    @Override
    public String toString() {
        return String.format(
                "%-6s  %s: %s, promised %s", isBroken() ? "BROKEN" : "kept", name, figure(measured), boundText());
    }

    /** "-" if nothing is promised. */
    String boundText() {
        return Double.isNaN(bound) ? "-" : (sense == Sense.AT_LEAST ? "≥ " : "≤ ") + figure(bound);
    }

    static String figure(double value) {
        boolean isWhole = value == Math.rint(value) || Math.abs(value) >= 100;
        return String.format(Locale.ROOT, isWhole ? "%,.0f" : "%.2f", value);
    }
}
