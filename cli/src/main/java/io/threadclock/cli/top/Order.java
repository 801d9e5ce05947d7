// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.util.Comparator;
import java.util.Locale;

/** The order of the table. */
public enum Order {
    CPU(Comparator.comparingDouble(row -> -row.rate().cpu())),
    USER(Comparator.comparingDouble(row -> -row.rate().user())),
    SYSTEM(Comparator.comparingDouble(row -> -row.rate().system())),
    WAIT(Comparator.comparingDouble(
            row -> row.waits() == null ? 1 : -row.waits().waiting())),
    SWITCHES(Comparator.comparingDouble(
            row -> row.waits() == null ? 1 : -row.waits().switchesPerS())),
    TIME(Comparator.comparingLong(row -> -row.cpuNs())),
    NAME(Comparator.comparing(Row::name)),
    TID(Comparator.comparingInt(Row::tid)),
    /** For tables alone: the JVM lists the stacks of all threads for each. */
    ALLOC(Comparator.comparingDouble(
            row -> row.allocation() == null ? 1 : -row.allocation().rank()));

    private final Comparator<Row> first;

    Order(Comparator<Row> first) {
        this.first = first;
    }

    /**
     * Rows that are equal in this order are sorted by CPU time, then by name and tid, so that the table does not
     * flicker.
     */
    Comparator<Row> comparator() {
        return first.thenComparing(row -> -row.cpuNs()).thenComparing(Row::name).thenComparing(Row::tid);
    }

    /** The next one of a screen. */
    Order next() {
        return values()[(ordinal() + 1) % ALLOC.ordinal()];
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
