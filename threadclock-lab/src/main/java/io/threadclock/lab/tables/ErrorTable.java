// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.lab.results.ErrorFigure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Errors of one quantity over windows of one length: a row for each workload, a column for each reader. */
public final class ErrorTable {
    private static final double THOUSAND = 1000;

    private final AccuracyResults results;
    private final ErrorWindow window;
    private final String quantity;
    private final List<String> readers;

    public ErrorTable(AccuracyResults results, ErrorWindow window, String quantity) {
        this.results = results;
        this.window = window;
        this.quantity = quantity;
        this.readers = results.readers(window.over()).stream()
                .filter(reader -> results.workloads(window.over()).stream()
                        .anyMatch(workload -> amount(workload, reader, ErrorFigure.MEAN).isPresent()))
                .toList();
    }

    public boolean isEmpty() {
        return readers.isEmpty();
    }

    public String title() {
        return switch (quantity) {
            case ErrorFigure.CPU -> "CPU time against the kernel's clock, " + window.words() + ", ns";
            case ErrorFigure.COST -> "CPU time that the same work takes more, " + window.words() + ", %";
            default -> "User time, " + window.words() + ", percentage points of the CPU time";
        };
    }

    /** The first names the rows. */
    public List<String> columns() {
        List<String> columns = new ArrayList<>(List.of("workload"));
        if (quantity.equals(ErrorFigure.USER)) {
            columns.add("truth: user");
        }
        columns.addAll(readers);
        return columns;
    }

    public List<List<String>> rows() {
        return results.workloads(window.over()).stream()
                .filter(workload -> readers.stream()
                        .anyMatch(reader -> amount(workload, reader, ErrorFigure.MEAN).isPresent()))
                .map(this::row)
                .toList();
    }

    private List<String> row(String workload) {
        List<String> row = new ArrayList<>(List.of(workload));
        if (quantity.equals(ErrorFigure.USER)) {
            row.add(results.amount(workload, ErrorFigure.TRUTH, "-", ErrorFigure.USER_SHARE, ErrorFigure.MEAN)
                    .map(share -> String.format(Locale.ROOT, "%.1f %%", share))
                    .orElse(""));
        }
        readers.forEach(reader -> row.add(cell(workload, reader)));
        return row;
    }

    private String cell(String workload, String reader) {
        String mean = amount(workload, reader, ErrorFigure.MEAN).map(ErrorTable::figure).orElse("");
        return mean + amount(workload, reader, ErrorFigure.P95).map(p95 -> " (" + figure(p95) + ")").orElse("");
    }

    private Optional<Double> amount(String workload, String reader, String statistic) {
        return results.amount(workload, window.over(), reader, quantity, statistic);
    }

    /** 0.31, 4.4, 89, 1,234. */
    static String figure(double amount) {
        double size = Math.abs(amount);
        String pattern = size < 1 ? "%.2f" : size < 10 ? "%.1f" : size < THOUSAND ? "%.0f" : "%,.0f";
        return String.format(Locale.ROOT, pattern, amount);
    }

    Section section() {
        List<String> titles = columns();
        TextTable.Column[] columns = titles.stream()
                .map(title -> title.equals(titles.get(0)) ? TextTable.left(title) : TextTable.right(title))
                .toArray(TextTable.Column[]::new);
        TextTable table = new TextTable(columns);
        rows().forEach(row -> table.row(row.toArray(String[]::new)));
        return new Section(title(), table, List.of());
    }
}
