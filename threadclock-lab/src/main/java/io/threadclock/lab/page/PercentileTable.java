// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.Distribution;
import io.threadclock.harness.Figure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** How contenders were distributed that are compared with one another, by percentile. */
final class PercentileTable {
    /** Others are in the chart alone. */
    private static final List<Double> SHOWN = List.of(0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0);

    private static final List<Double> COMPARED = List.of(50.0, 99.0);

    private final List<Baseline> baselines;
    private final List<Distribution> distributions;

    /** @param distributions of one benchmark, JDK and parameter, at least one */
    PercentileTable(Question question, List<Distribution> distributions) {
        this.distributions = distributions;
        this.baselines = question.baselines().stream()
                .filter(baseline -> COMPARED.stream().anyMatch(percentile -> isCompared(baseline, percentile)))
                .toList();
    }

    PageTable table(String caption) {
        PageTable table = new PageTable(caption, columns());
        String quantity = distributions.get(0).subject().quantity();
        boolean grouped = distributions.stream()
                .anyMatch(one -> !one.subject().quantity().equals(quantity));
        String group = null;
        for (Distribution one : inOrder()) {
            if (grouped && !one.subject().quantity().equals(group)) {
                group = one.subject().quantity();
                table.group(Control.title(group));
            }
            table.row(cells(one));
        }
        return table;
    }

    /** A quantity after the other; controls last. */
    private List<Distribution> inOrder() {
        List<String> quantities =
                distributions.stream().map(one -> one.subject().quantity()).distinct().toList();
        return distributions.stream()
                .sorted(Comparator.<Distribution, Boolean>comparing(
                                one -> Control.is(one.subject().quantity()))
                        .thenComparingInt(one -> quantities.indexOf(one.subject().quantity())))
                .toList();
    }

    private boolean isCompared(Baseline baseline, double percentile) {
        return distributions.stream().anyMatch(one -> baseline.ratio(one, distributions, percentile)
                .isPresent());
    }

    private List<PageTable.Column> columns() {
        List<PageTable.Column> columns = new ArrayList<>();
        columns.add(PageTable.words(""));
        columns.add(PageTable.range("samples"));
        columns.add(PageTable.amount("mean"));
        percentiles().forEach(percentile -> columns.add(PageTable.amount(title(percentile))));
        for (Baseline baseline : baselines) {
            COMPARED.forEach(
                    percentile -> columns.add(PageTable.amount(baseline.title() + ", " + title(percentile))));
        }
        return columns;
    }

    private List<String> cells(Distribution one) {
        List<String> cells = new ArrayList<>();
        cells.add(one.subject().contender());
        cells.add(Figure.count(one.count()));
        cells.add(Double.isFinite(one.mean()) ? Amount.withUnit(one.mean(), one.unit()) : "");
        for (double percentile : percentiles()) {
            Double amount = one.percentiles().get(percentile);
            cells.add(amount == null ? "" : Amount.withUnit(amount, one.unit()));
        }
        for (Baseline baseline : baselines) {
            for (double percentile : COMPARED) {
                var ratio = baseline.ratio(one, distributions, percentile);
                cells.add(ratio.isPresent() ? Figure.ratio(ratio.getAsDouble()) : "");
            }
        }
        return cells;
    }

    /** The usual ones that there are; if there are none of them, all. */
    private SortedSet<Double> percentiles() {
        SortedSet<Double> all = new TreeSet<>();
        distributions.forEach(one -> all.addAll(one.percentiles().keySet()));
        SortedSet<Double> usual = new TreeSet<>(all);
        usual.retainAll(SHOWN);
        return usual.isEmpty() ? all : usual;
    }

    static String title(double percentile) {
        boolean whole = percentile == Math.rint(percentile);
        return "p" + (whole ? Long.toString((long) percentile) : Double.toString(percentile));
    }
}
