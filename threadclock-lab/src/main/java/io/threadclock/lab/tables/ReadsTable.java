// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
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
        List<String> jdks = results.each(benchmark, Subject::jdk);
        List<TextTable.Column> columns = new ArrayList<>(List.of(TextTable.left("")));
        jdks.forEach(jdk -> columns.add(TextTable.right("JDK " + jdk)));
        TextTable table = new TextTable(columns.toArray(TextTable.Column[]::new));
        for (Read read : results.each(benchmark, Read::of)) {
            List<String> cells = new ArrayList<>(List.of(title(read)));
            jdks.forEach(jdk -> cells.add(read.on(jdk, results, benchmark).map(figure).orElse("")));
            table.row(cells.toArray(String[]::new));
        }
        return new Section(title, table, List.of(notes));
    }

    /** The contender's name, and what it reads where the name does not say that. */
    private String title(Read read) {
        long quantities = results.each(benchmark, Read::of).stream()
                .filter(each -> each.contender().equals(read.contender()))
                .count();
        return quantities == 1 ? read.contender() : read.contender() + ", " + read.quantity();
    }

    private record Read(String contender, String quantity) {
        static Read of(Subject subject) {
            return new Read(subject.contender(), subject.quantity());
        }

        Optional<Spread> on(String jdk, Results results, String benchmark) {
            return results.find(new Subject(benchmark, jdk, contender, quantity, null)).map(Series::spread);
        }
    }
}
