// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** How a figure of one benchmark and JDK grows with its parameter: medians, with their spreads. */
final class GrowthChart {
    private static final int FEWEST_POINTS = 3;

    private final Question question;
    private final List<Series> series;

    GrowthChart(Question question, List<Series> series) {
        this.question = question;
        this.series = series.stream()
                .filter(one -> one.subject().parameter() != null)
                .toList();
    }

    /** Whether there is anything that could grow. */
    boolean isDrawable() {
        return parameters().size() >= FEWEST_POINTS && amounts().anyMatch(amount -> amount > 0);
    }

    DoubleStream amounts() {
        return series.stream()
                .map(Series::spread)
                .flatMapToDouble(spread -> DoubleStream.of(spread.least(), spread.greatest()));
    }

    Chart chart(String title, LogScale yScale) {
        List<Double> parameters = parameters();
        List<Chart.Line> lines = new ArrayList<>();
        byLine().forEach((name, points) -> lines.add(line(name, points, parameters)));
        return new Chart(
                title,
                summary(title, lines),
                question.parameter(),
                series.get(0).unit(),
                parameters.stream().map(GrowthChart::place).toList(),
                parameters.stream().map(question::counted).toList(),
                parameters.stream()
                        .map(parameter -> new Chart.Tick(place(parameter), Amount.parameter(parameter)))
                        .toList(),
                yScale,
                yScale.ticks(),
                Chart.uncrowded(lines));
    }

    private List<Double> parameters() {
        return series.stream()
                .map(one -> one.subject().parameter())
                .distinct()
                .sorted()
                .toList();
    }

    /** Each doubling is as far from the last one. */
    private static double place(double parameter) {
        return Math.log(Math.max(parameter, 1)) / Math.log(2);
    }

    private Map<String, List<Series>> byLine() {
        boolean oneQuantity =
                series.stream().map(one -> one.subject().quantity()).distinct().count() == 1;
        return series.stream()
                .collect(Collectors.groupingBy(
                        one -> name(one.subject(), oneQuantity), LinkedHashMap::new, Collectors.toList()));
    }

    private static String name(Subject subject, boolean oneQuantity) {
        return oneQuantity ? subject.contender() : subject.contender() + ", " + subject.quantity();
    }

    private static Chart.Line line(String name, List<Series> points, List<Double> parameters) {
        Subject subject = points.get(0).subject();
        return new Chart.Line(
                name,
                LineStyle.of(subject.contender(), subject.quantity()),
                each(parameters, points, Spread::median),
                each(parameters, points, Spread::least),
                each(parameters, points, Spread::greatest));
    }

    private static List<Double> each(List<Double> parameters, List<Series> points, ToDoubleFunction<Spread> end) {
        List<Double> amounts = new ArrayList<>();
        for (Double parameter : parameters) {
            amounts.add(points.stream()
                    .filter(point -> point.subject().parameter().equals(parameter))
                    .map(point -> end.applyAsDouble(point.spread()))
                    .findFirst()
                    .orElse(null));
        }
        return amounts;
    }

    private String summary(String title, List<Chart.Line> lines) {
        String unit = series.get(0).unit();
        String ends = lines.stream()
                .map(line -> line.name() + " from " + end(line.amounts(), unit) + " to "
                        + end(reversed(line.amounts()), unit))
                .collect(Collectors.joining("; "));
        return title + ", from " + question.counted(parameters().get(0)) + " to "
                + question.counted(parameters().get(parameters().size() - 1)) + ": " + ends + ".";
    }

    private static String end(List<Double> amounts, String unit) {
        return amounts.stream()
                .filter(Objects::nonNull)
                .findFirst()
                .map(amount -> Amount.withUnit(amount, unit))
                .orElse("nothing");
    }

    private static List<Double> reversed(List<Double> amounts) {
        List<Double> reversed = new ArrayList<>(amounts);
        Collections.reverse(reversed);
        return reversed;
    }
}
