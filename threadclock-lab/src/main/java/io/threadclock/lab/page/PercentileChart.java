// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.Distribution;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Latency by percentile, on a scale of nines: from 90 to 99 it is as far as from 99 to 99.9. */
final class PercentileChart {
    private static final List<Double> NAMED = List.of(50.0, 90.0, 99.0, 99.9, 99.99, 99.999, 99.9999);
    /** The greatest sample has no place on a scale of nines; it stands beyond the last. */
    private static final double MAX = 100;

    private static final double BEYOND = 0.75;

    private final List<Distribution> distributions;

    /** @param distributions of one benchmark, JDK and parameter, at least one */
    PercentileChart(List<Distribution> distributions) {
        this.distributions = distributions;
    }

    boolean isDrawable() {
        return percentiles().size() > 1 && amounts().anyMatch(amount -> amount > 0);
    }

    DoubleStream amounts() {
        return distributions.stream()
                .flatMapToDouble(one -> one.percentiles().values().stream().mapToDouble(Double::doubleValue));
    }

    Chart chart(String title, LogScale yScale) {
        List<Double> percentiles = List.copyOf(percentiles());
        List<Chart.Line> lines =
                distributions.stream().map(one -> line(one, percentiles)).toList();
        return new Chart(
                title,
                summary(title),
                "percentile",
                distributions.get(0).unit(),
                percentiles.stream().map(this::place).toList(),
                percentiles.stream().map(PercentileTable::title).toList(),
                ticks(percentiles),
                yScale,
                yScale.ticks(),
                Chart.uncrowded(lines));
    }

    private SortedSet<Double> percentiles() {
        SortedSet<Double> percentiles = new TreeSet<>();
        distributions.forEach(one -> percentiles.addAll(one.percentiles().keySet()));
        return percentiles;
    }

    private double place(double percentile) {
        if (percentile < MAX) {
            return Math.log10(MAX) - Math.log10(MAX - percentile);
        }
        SortedSet<Double> below = percentiles().headSet(MAX);
        return below.isEmpty() ? 0 : place(below.last()) + BEYOND;
    }

    private List<Chart.Tick> ticks(List<Double> percentiles) {
        List<Chart.Tick> ticks = new ArrayList<>();
        for (double percentile : percentiles) {
            if (NAMED.contains(percentile)) {
                ticks.add(new Chart.Tick(place(percentile), PercentileTable.title(percentile).substring(1)));
            }
        }
        if (percentiles.contains(MAX)) {
            ticks.add(new Chart.Tick(place(MAX), "max"));
        }
        return ticks;
    }

    private Chart.Line line(Distribution one, List<Double> percentiles) {
        // Not by a stream: a place may have no amount.
        List<Double> amounts = new ArrayList<>();
        percentiles.forEach(percentile -> amounts.add(one.percentiles().get(percentile)));
        String contender = one.subject().contender();
        String quantity = one.subject().quantity();
        return new Chart.Line(name(one), LineStyle.of(contender, quantity), amounts, null, null);
    }

    /** With the quantity only where contenders differ by nothing else. */
    private String name(Distribution one) {
        String contender = one.subject().contender();
        boolean twice = distributions.stream()
                        .filter(other -> other.subject().contender().equals(contender))
                        .count()
                > 1;
        return twice ? contender + ", " + one.subject().quantity() : contender;
    }

    private String summary(String title) {
        return title + ": "
                + distributions.stream().map(this::described).collect(Collectors.joining("; ")) + ".";
    }

    private String described(Distribution one) {
        return name(one) + " "
                + one.percentiles().entrySet().stream()
                        .filter(each -> List.of(50.0, 99.0, MAX).contains(each.getKey()))
                        .map(each -> PercentileTable.title(each.getKey()) + " "
                                + Amount.withUnit(each.getValue(), one.unit()))
                        .collect(Collectors.joining(", "));
    }
}
