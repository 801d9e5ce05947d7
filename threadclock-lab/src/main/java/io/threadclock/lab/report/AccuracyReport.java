// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.report.Errors.ErrorWindow;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A run of the accuracy laboratory: for the terminal, for docs/accuracy.md, and as {@code report/accuracy.html}. */
public record AccuracyReport(Results results) {
    private static final Set<String> CHOSEN =
            Set.of("spin", "getppid", "mix-50us", "on-tick", "off-tick", "eight-threads");

    /** The bounds, and each table. */
    public String toText() {
        StringBuilder text = new StringBuilder("\n").append(origin()).append("\n\n");
        tables().stream().filter(table -> !table.isEmpty()).forEach(table -> text.append(table.toText())
                .append('\n'));
        return text.toString();
    }

    /** All tables, with charts. @param pictures the folder of the charts */
    private String toMarkdown(String pictures, ErrorWindow... windows) {
        StringBuilder text = new StringBuilder(origin()).append("\n\n");
        results.notes().forEach(note -> text.append("- ").append(note).append('\n'));
        text.append(results.notes().isEmpty() ? "" : "\n");
        tables().forEach(table -> text.append(table.toMarkdown()));
        charts(windows).forEach(chart -> text.append("![" + chart.title() + "](" + pictures + chart.name() + ")\n\n"));
        return text.toString();
    }

    /** The errors over a request and over 10 ms, in the workloads that tell the readers apart. */
    private String toChosenMarkdown() {
        AccuracyTables all = new AccuracyTables(results);
        return origin() + "\n\n"
                + all.errors(ErrorWindow.TEN_MILLISECONDS, Errors.USER)
                        .only(row -> CHOSEN.contains(row.get(0)))
                        .toMarkdown()
                + all.errors(ErrorWindow.REQUEST, Errors.USER).toMarkdown()
                + "![Error of user time over 10 ms of CPU time](accuracy-10ms.svg)\n";
    }

    /** @param home the checkout */
    public Documents documents(Path home) {
        ErrorWindow[] windows = {ErrorWindow.TEN_MILLISECONDS, ErrorWindow.REQUEST};
        Documents documents = new Documents(home)
                .block("docs/accuracy.md", "accuracy", toChosenMarkdown())
                .block(BenchReport.KEPT + "accuracy.md", "accuracy:tables", toMarkdown(BenchReport.PICTURES, windows));
        charts(windows).forEach(chart -> documents.file("docs/" + chart.name(), chart.toSvg()));
        return documents;
    }

    /**
     * Writes {@code accuracy.html}.
     *
     * @param directory is made if it is not there
     * @return the file
     * @throws io.threadclock.harness.SetupException if it cannot be written
     */
    public Path writePage(Path directory) {
        Page page = new Page("threadclock accuracy").add(toMarkdown("", ErrorWindow.values()));
        charts(ErrorWindow.values()).forEach(chart -> page.image(chart.name(), chart.toSvg()));
        return page.write(directory.resolve("accuracy.html"));
    }

    /** The promises that do not hold in this run, one per line. */
    public List<String> complaints() {
        Stream<String> ofThreads = ErrorBound.all().stream().flatMap(bound -> bound.complaint(results).stream());
        return Stream.concat(ofThreads, new SegmentTable(results).complaints().stream())
                .toList();
    }

    List<ErrorChart> charts(ErrorWindow... windows) {
        return Stream.of(windows)
                .map(window -> new ErrorChart(results, window))
                .filter(chart -> !chart.isEmpty())
                .toList();
    }

    /** The tables; the bounds come first. */
    private List<Table> tables() {
        AccuracyTables all = new AccuracyTables(results);
        List<Table> tables = new ArrayList<>(List.of(all.bounds()));
        tables.addAll(all.errors());
        all.periods().ifPresent(tables::add);
        SegmentTable segments = new SegmentTable(results);
        if (!segments.isEmpty()) {
            tables.add(segments.table());
        }
        return tables;
    }

    private String origin() {
        return BenchReport.origin(results.origin());
    }
}
