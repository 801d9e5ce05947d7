// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Tables for any benchmark, with a row for each contender. */
record ContenderTables(Results results, String benchmark) {
    private static final List<Double> PERCENTILES = List.of(0.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0);
    private static final double NS_PER_US = 1000;

    /** A table with a column for each JDK, for benchmarks with one result of each contender. */
    Table byJdk(String title, Function<Spread, String> figure) {
        List<String> jdks = results.each(benchmark, Subject::jdk);
        Table table = new Table(
                title, Table.columns("", jdks.stream().map(ContenderTables::jdk).toList()));
        for (Subject read : results.each(benchmark, subject -> on("", subject))) {
            List<String> row = new ArrayList<>(List.of(name(read)));
            jdks.forEach(jdk -> row.add(results.find(on(jdk, read))
                    .map(Measurement::spread)
                    .map(figure)
                    .orElse("")));
            table.row(row);
        }
        return table;
    }

    /**
     * A table with a column for each parameter, which shows growth.
     *
     * @param parameter the unit of the columns' numbers
     */
    Table byParameter(String title, String parameter) {
        List<Double> parameters =
                results.each(benchmark, Subject::parameter).stream().sorted().toList();
        List<Table.Column> columns = new ArrayList<>(List.of(words("JDK"), words(parameter)));
        parameters.forEach(each -> columns.add(number(Figure.count(each.longValue()))));
        Table table = new Table(title + ": median (least–most)", columns);
        for (String jdk : results.each(benchmark, Subject::jdk)) {
            for (String contender : results.each(benchmark, Subject::contender)) {
                List<String> figures = parameters.stream()
                        .map(each -> figure(jdk, contender, each))
                        .toList();
                if (figures.stream().anyMatch(figure -> !figure.isEmpty())) {
                    table.row(Stream.concat(Stream.of(jdk, contender), figures.stream())
                            .toList());
                }
            }
        }
        return table;
    }

    private String figure(String jdk, String contender, Double parameter) {
        return results.of(benchmark).stream()
                .filter(series -> series.subject().jdk().equals(jdk))
                .filter(series -> series.subject().contender().equals(contender))
                .filter(series -> series.subject().parameter().equals(parameter))
                .findFirst()
                .map(series -> Figure.spread(series.spread(), Figure::plain))
                .orElse("");
    }

    /** From the least to the greatest. @param unit ns, µs, or another in which the figures are */
    static Table percentiles(String title, List<Measurement> distributions, String unit) {
        double divisor = unit.equals("µs") ? NS_PER_US : 1;
        List<Table.Column> columns =
                new ArrayList<>(List.of(words("JDK"), words(""), number("samples"), number("mean")));
        PERCENTILES.forEach(percentile -> columns.add(number(Measurement.percentile(percentile))));
        Table table = new Table(title + ", " + unit, columns);
        for (Measurement each : distributions) {
            List<String> row = new ArrayList<>(List.of(
                    each.subject().jdk(),
                    each.subject().contender(),
                    Figure.count(each.samples()),
                    Double.isFinite(each.mean()) ? Figure.ns(each.mean() / divisor) : ""));
            PERCENTILES.forEach(
                    percentile -> row.add(Optional.ofNullable(each.percentiles().get(percentile))
                            .map(figure -> Figure.ns(figure / divisor))
                            .orElse("")));
            table.row(row);
        }
        return table;
    }

    private static Subject on(String jdk, Subject subject) {
        return new Subject(subject.benchmark(), jdk, subject.contender(), subject.quantity(), subject.parameter());
    }

    /** The contender's name; what it reads, where the name does not say that; for how many. */
    private String name(Subject read) {
        long quantities = results.each(benchmark, subject -> on("", subject)).stream()
                .filter(each -> each.contender().equals(read.contender()))
                .map(Subject::quantity)
                .distinct()
                .count();
        return read.contender()
                + (quantities == 1 ? "" : ", " + read.quantity())
                + (read.parameter() == null ? "" : ", " + Figure.plain(read.parameter()));
    }

    static String jdk(String version) {
        return version.isEmpty() ? "C" : "JDK " + version;
    }
}
