// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.lab.tables.AccuracyReport;
import io.threadclock.lab.tables.BoundTable;
import io.threadclock.lab.tables.ErrorChart;
import io.threadclock.lab.tables.ErrorWindow;
import io.threadclock.lab.tables.PeriodTable;
import io.threadclock.harness.WholeFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** A run of the accuracy laboratory as one HTML file that needs neither a network nor another file. */
public final class AccuracyPage {
    private static final String TITLE = "threadclock accuracy";

    private final AccuracyResults results;

    public AccuracyPage(AccuracyResults results) {
        this.results = results;
    }

    /**
     * Writes {@code accuracy.html}.
     *
     * @param directory is made if it is not there
     * @return the file
     * @throws io.threadclock.harness.SetupException if it cannot be written
     */
    public Path write(Path directory) {
        Path file = directory.resolve("accuracy.html");
        WholeFile.write(file, toHtml());
        return file;
    }

    /** The whole document. */
    public String toHtml() {
        Html html = new Html();
        new PageHead(TITLE, results.origin()).write(html);
        html.open("main");
        new RunFacts(results.origin()).write(html);
        writeBounds(html);
        writeCharts(html);
        writeTables(html);
        writeMethod(html);
        html.close("main");
        return html.close("body").close("html").toString();
    }

    private void writeBounds(Html html) {
        BoundTable bounds = new BoundTable(results);
        html.open("section", "id", "bounds").element("h2", "The promise, and the worst of this run");
        PageTable table = new PageTable(
                "Bounds",
                List.of(
                        PageTable.words("promise"),
                        PageTable.amount("worst"),
                        PageTable.words("workload"),
                        PageTable.words("holds")));
        bounds.rows().forEach(table::row);
        PageTable.writeSideBySide(html, List.of(table));
        html.close("section");
    }

    private void writeCharts(Html html) {
        html.open("section", "id", "charts").element("h2", "User time: who is how far from the truth");
        html.element(
                "p",
                "A dot is the mean of the absolute errors of one reader in one workload; the axis is logarithmic.",
                "class",
                "explanation");
        html.open("div", "class", "pictures");
        Stream.of(ErrorWindow.values())
                .map(window -> new ErrorChart(results, window))
                .filter(chart -> !chart.isEmpty())
                .forEach(chart -> html.open("img", "alt", chart.title(), "src", source(chart)));
        html.close("div").close("section");
    }

    /** An image of its own, so that neither style reaches the other. */
    private static String source(ErrorChart chart) {
        byte[] svg = chart.toSvg().getBytes(StandardCharsets.UTF_8);
        return "data:image/svg+xml;base64," + Base64.getEncoder().encodeToString(svg);
    }

    private void writeTables(Html html) {
        html.open("section", "id", "errors").element("h2", "All errors");
        html.element(
                "p", "The mean of the absolute errors, and in brackets their 95th percentile.", "class", "explanation");
        List<PageTable> tables = new AccuracyReport(results)
                .tables().stream()
                        .map(errors -> table(errors.title(), errors.columns(), errors.rows()))
                        .toList();
        PageTable.writeSideBySide(html, tables);
        writePeriods(html);
        html.close("section");
    }

    private void writePeriods(Html html) {
        PeriodTable periods = new PeriodTable(results);
        if (!periods.isEmpty()) {
            html.element("p", periods.key(), "class", "explanation");
            PageTable.writeSideBySide(html, List.of(table(periods.title(), periods.columns(), periods.rows())));
        }
    }

    private static PageTable table(String caption, List<String> titles, List<List<String>> rows) {
        PageTable table = new PageTable(
                caption,
                titles.stream()
                        .map(title -> title.equals(titles.get(0)) ? PageTable.words(title) : PageTable.amount(title))
                        .toList());
        rows.forEach(table::row);
        return table;
    }

    private void writeMethod(Html html) {
        html.open("section", "id", "method").element("h2", "Notes of this run");
        html.open("ul", "class", "notes");
        results.notes().forEach(note -> html.element("li", note));
        html.close("ul").close("section");
    }
}
