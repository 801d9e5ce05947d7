// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.tables;

import io.threadclock.benchmarks.results.Results;
import io.threadclock.benchmarks.results.Series;
import io.threadclock.harness.Section;
import io.threadclock.harness.Spread;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A row for each contender, a column for each JDK: for benchmarks that have one figure of each. */
final class ReadsTable {
    private final Results results;
    private final String benchmark;
    private final String title;
    private final Function<Spread, String> figure;

    ReadsTable(Results results, String benchmark, String title, Function<Spread, String> figure) {
        this.results = results;
        this.benchmark = benchmark;
        this.title = title;
        this.figure = figure;
    }

    Section section(String... notes) {
        List<String> jdks = results.each(benchmark, subject -> subject.jdk());
        List<TextTable.Column> columns = new ArrayList<>(List.of(TextTable.left("")));
        jdks.forEach(jdk -> columns.add(TextTable.right("JDK " + jdk)));
        TextTable table = new TextTable(columns.toArray(TextTable.Column[]::new));
        for (String contender : results.each(benchmark, subject -> subject.contender())) {
            List<String> cells = new ArrayList<>(List.of(contender));
            jdks.forEach(jdk -> cells.add(find(jdk, contender).map(Series::spread).map(figure).orElse("")));
            table.row(cells.toArray(String[]::new));
        }
        return new Section(title, table, List.of(notes));
    }

    private Optional<Series> find(String jdk, String contender) {
        return results.of(benchmark).stream()
                .filter(series -> series.subject().jdk().equals(jdk))
                .filter(series -> series.subject().contender().equals(contender))
                .findFirst();
    }
}
