// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.PoolName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The rows that are shown, and their order.
 *
 * @param filter a text that a thread's name or kind must contain, in upper or lower case; empty: any
 * @param folds whether the threads of a pool are one row
 */
public record ThreadTable(Order order, String filter, boolean folds) {
    public List<Row> rows(UsageSample sample) {
        List<Row> rows = new ArrayList<>();
        for (ThreadRate usage : sample.threads()) {
            Row row = Row.of(usage);
            if (isWanted(row)) {
                rows.add(row);
            }
        }
        List<Row> shown = folds ? folded(rows) : rows;
        shown.sort(order.comparator());
        return shown;
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
