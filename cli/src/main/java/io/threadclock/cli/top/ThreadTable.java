// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.PoolName;
import io.threadclock.cli.threads.ThreadKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The rows that are shown, and their order. Pools of virtual threads, whose time is a part of their carriers', stand
 * below the last carrier in an order of their own, and the carriers' rest comes last.
 *
 * @param filter a text that a thread's name or kind must contain, in upper or lower case; empty: any
 * @param folds whether the threads of a pool are one row
 */
public record ThreadTable(Order order, String filter, boolean folds) {
    public List<Row> rows(UsageSample sample) {
        List<Row> rows = new ArrayList<>();
        for (ThreadRate usage : sample.threads()) {
            Row row = Row.of(usage, sample.allocations().get(usage.thread().tid()));
            if (isWanted(row)) {
                rows.add(row);
            }
        }
        List<Row> shown = folds ? folded(rows) : rows;
        shown.sort(order.comparator());
        shown.addAll(belowCarriers(shown), virtualRows(sample));
        return shown;
    }

    /**
     * The threads that have used the most CPU time in the interval, most first, of those that are wanted and have
     * stacks.
     */
    public List<Row> costliest(UsageSample sample, int most) {
        return sample.threads().stream()
                .map(usage -> Row.of(usage, null))
                .filter(row -> row.kind() == ThreadKind.JAVA || row.kind() == ThreadKind.CARRIER)
                .filter(row -> row.rate().cpu() > 0 && isWanted(row))
                .sorted(Order.CPU.comparator())
                .limit(most)
                .toList();
    }

    private static int belowCarriers(List<Row> rows) {
        for (int i = rows.size(); i > 0; i--) {
            if (rows.get(i - 1).kind() == ThreadKind.CARRIER) {
                return i;
            }
        }
        return rows.size();
    }

    private List<Row> virtualRows(UsageSample sample) {
        return sample.pools().stream()
                .sorted(Comparator.comparing((PoolRate usage) -> usage.pool().isRest())
                        .thenComparing(Row::of, order.comparator()))
                .map(Row::of)
                .filter(this::isWanted)
                .toList();
    }

    private boolean isWanted(Row row) {
        String wanted = filter.toLowerCase(Locale.ROOT);
        return row.name().toLowerCase(Locale.ROOT).contains(wanted)
                || row.kind().toString().equals(wanted);
    }

    /** A single thread keeps its name. */
    private static List<Row> folded(List<Row> rows) {
        Map<String, Row> pools = new LinkedHashMap<>();
        for (Row row : rows) {
            String pool = PoolName.of(row.name());
            pools.merge(pool + "/" + row.kind(), row, (one, other) -> one.joinedBy(other, pool));
        }
        return new ArrayList<>(pools.values());
    }
}
