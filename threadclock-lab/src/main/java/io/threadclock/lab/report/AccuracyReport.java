// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.report.Errors.ErrorWindow;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A run of the laboratory: for the terminal, and for docs/accuracy.md. */
public record AccuracyReport(Results results) {
    /** The bounds, and each table. */
    public String toText() {
        StringBuilder text = new StringBuilder("\n").append(origin()).append("\n\n");
        tables().forEach(table -> text.append(table.toText()).append('\n'));
        return text.toString();
    }

    /** The same with charts. */
    public String toMarkdown() {
        StringBuilder text = new StringBuilder(origin()).append("\n\n");
        results.notes().forEach(note -> text.append("- ").append(note).append('\n'));
        text.append(results.notes().isEmpty() ? "" : "\n");
        tables().forEach(table -> text.append(table.toMarkdown()));
        charts(ErrorWindow.TEN_MILLISECONDS, ErrorWindow.REQUEST)
                .forEach(chart -> text.append("![" + chart.title() + "](" + chart.name() + ")\n\n"));
        return text.toString();
    }

    /** @param home the checkout */
    public Documents documents(Path home) {
        Documents documents = new Documents(home).block("docs/accuracy.md", "accuracy", toMarkdown());
        charts(ErrorWindow.TEN_MILLISECONDS, ErrorWindow.REQUEST)
                .forEach(chart -> documents.file("docs/" + chart.name(), chart.toSvg()));
        return documents;
    }

    /** What is promised and does not hold in this run, a line each. */
    public List<String> complaints() {
        return ErrorBound.all().stream()
                .flatMap(bound -> bound.complaint(results).stream())
                .toList();
    }

    List<ErrorChart> charts(ErrorWindow... windows) {
        return Stream.of(windows)
                .map(window -> new ErrorChart(results, window))
                .filter(chart -> !chart.isEmpty())
                .toList();
    }

    private List<Table> tables() {
        AccuracyTables all = new AccuracyTables(results);
        List<Table> tables = new ArrayList<>(List.of(all.bounds()));
        tables.addAll(all.errors());
        all.periods().ifPresent(tables::add);
        return tables;
    }

    private String origin() {
        return BenchReport.origin(results.origin());
    }
}
