// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.report.Errors.ErrorWindow;
import io.threadclock.lab.results.Results;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** A run of the accuracy laboratory: for the terminal, for docs/accuracy.md, and as {@code report/accuracy.html}. */
public record AccuracyReport(Results results) {
    /** The bounds, and each table. */
    public String toText() {
        StringBuilder text = new StringBuilder("\n").append(origin()).append("\n\n");
        tables().stream().filter(table -> !table.rows().isEmpty()).forEach(table -> text.append(table.toText())
                .append('\n'));
        return text.toString();
    }

    /** The text with charts. */
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

    /**
     * Writes {@code accuracy.html}.
     *
     * @param directory is made if it is not there
     * @return the file
     * @throws io.threadclock.harness.SetupException if it cannot be written
     */
    public Path writePage(Path directory) {
        return Page.write(directory.resolve("accuracy.html"), toHtml());
    }

    String toHtml() {
        List<Table> tables = tables();
        Page page = new Page("threadclock accuracy", results.origin());
        page.run();
        Html html = page.section("bounds", "The promise, and the worst of this run", "");
        page.tables(tables.subList(0, 1));
        html.close("section");
        writeCharts(page);
        page.section("errors", "All errors", "The mean of the absolute errors, and in brackets their 95th percentile.");
        page.tables(tables.subList(1, tables.size()));
        html.close("section");
        page.section("method", "Notes of this run", "")
                .list("notes", results.notes())
                .close("section");
        return page.end();
    }

    private void writeCharts(Page page) {
        Html html = page.section(
                "charts",
                "User time: how far each reader is from the truth",
                "A dot is the mean of the absolute errors of one reader in one workload; the axis is logarithmic.");
        html.open("div", "class", "pictures");
        charts(ErrorWindow.values()).forEach(chart -> html.open("img", "alt", chart.title(), "src", source(chart)));
        html.close("div").close("section");
    }

    /** Each chart is an image of its own, so that their styles do not mix. */
    private static String source(ErrorChart chart) {
        byte[] svg = chart.toSvg().getBytes(StandardCharsets.UTF_8);
        return "data:image/svg+xml;base64," + Base64.getEncoder().encodeToString(svg);
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
