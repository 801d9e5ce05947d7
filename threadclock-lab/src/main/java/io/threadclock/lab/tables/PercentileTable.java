// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Distribution;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;

/** Distributions from the least to the greatest. */
final class PercentileTable {
    private static final List<Double> SHOWN = List.of(0.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0);
    private static final double NS_PER_US = 1000;

    private final List<Distribution> distributions;
    private final String title;
    private final double divisor;

    private PercentileTable(List<Distribution> distributions, String title, double divisor) {
        this.distributions = distributions;
        this.title = title;
        this.divisor = divisor;
    }

    static PercentileTable inNs(List<Distribution> distributions, String title) {
        return new PercentileTable(distributions, title + ", ns", 1);
    }

    /** Of figures that are in ns. */
    static PercentileTable inUs(List<Distribution> distributions, String title) {
        return new PercentileTable(distributions, title + ", µs", NS_PER_US);
    }

    Section section(String... notes) {
        List<TextTable.Column> columns = new ArrayList<>(List.of(
                TextTable.left("JDK"), TextTable.left(""), TextTable.right("samples"), TextTable.right("mean")));
        SHOWN.forEach(percentile -> columns.add(TextTable.right(name(percentile))));
        TextTable table = new TextTable(columns.toArray(TextTable.Column[]::new));
        distributions.forEach(each -> table.row(cells(each)));
        return new Section(title, table, List.of(notes));
    }

    private String[] cells(Distribution distribution) {
        List<String> cells = new ArrayList<>(List.of(
                distribution.subject().jdk(),
                distribution.subject().contender(),
                Figure.count(distribution.count()),
                Figure.ns(distribution.mean() / divisor)));
        for (Double percentile : SHOWN) {
            Double figure = distribution.percentiles().get(percentile);
            cells.add(figure == null ? "" : Figure.ns(figure / divisor));
        }
        return cells.toArray(String[]::new);
    }

    private static String name(double percentile) {
        return "p" + (percentile == Math.rint(percentile) ? Long.toString((long) percentile) : percentile);
    }
}
