// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.Spread;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A row for each contender on each JDK, a column for each parameter: how a figure grows. */
final class ParameterTable {
    private final Results results;
    private final String benchmark;
    private final String title;
    private final String parameter;
    private final Function<Spread, String> figure;

    /** @param parameter what the columns are numbers of */
    ParameterTable(
            Results results, String benchmark, String title, String parameter, Function<Spread, String> figure) {
        this.results = results;
        this.benchmark = benchmark;
        this.title = title;
        this.parameter = parameter;
        this.figure = figure;
    }

    Section section(String... notes) {
        List<Double> parameters = results.each(benchmark, Subject::parameter).stream().sorted().toList();
        List<TextTable.Column> columns = new ArrayList<>(List.of(TextTable.left("JDK"), TextTable.left(parameter)));
        parameters.forEach(each -> columns.add(TextTable.right(Figure.count(each.longValue()))));
        TextTable table = new TextTable(columns.toArray(TextTable.Column[]::new));
        for (String jdk : results.each(benchmark, Subject::jdk)) {
            for (String contender : results.each(benchmark, Subject::contender)) {
                List<Series> row = row(jdk, contender);
                if (!row.isEmpty()) {
                    table.row(cells(jdk, contender, row, parameters));
                }
            }
        }
        return new Section(title, table, List.of(notes));
    }

    private List<Series> row(String jdk, String contender) {
        return results.of(benchmark).stream()
                .filter(series -> series.subject().jdk().equals(jdk))
                .filter(series -> series.subject().contender().equals(contender))
                .toList();
    }

    private String[] cells(String jdk, String contender, List<Series> row, List<Double> parameters) {
        List<String> cells = new ArrayList<>(List.of(jdk, contender));
        for (Double each : parameters) {
            Optional<Series> measured = row.stream()
                    .filter(series -> series.subject().parameter().equals(each))
                    .findFirst();
            cells.add(measured.map(Series::spread).map(figure).orElse(""));
        }
        return cells.toArray(String[]::new);
    }
}
