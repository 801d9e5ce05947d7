// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.report.Errors.ErrorWindow;
import io.threadclock.lab.results.Results;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A run of the accuracy laboratory as {@code report/accuracy.html}. */
public record AccuracyPage(Results results) {
    /**
     * Writes {@code accuracy.html}.
     *
     * @param directory is made if it is not there
     * @return the file
     * @throws io.threadclock.harness.SetupException if it cannot be written
     */
    public Path write(Path directory) {
        return Page.write(directory.resolve("accuracy.html"), toHtml());
    }

    String toHtml() {
        AccuracyTables tables = new AccuracyTables(results);
        Page page = new Page("threadclock accuracy", results.origin());
        page.run();
        Html html = page.section("bounds", "The promise, and the worst of this run", "");
        page.tables(List.of(tables.bounds()));
        html.close("section");
        writeCharts(page);
        page.section("errors", "All errors", "The mean of the absolute errors, and in brackets their 95th percentile.");
        List<Table> errors = new ArrayList<>(tables.errors());
        tables.periods().ifPresent(errors::add);
        page.tables(errors);
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
        new AccuracyReport(results)
                .charts(ErrorWindow.values())
                .forEach(chart -> html.open("img", "alt", chart.title(), "src", source(chart)));
        html.close("div").close("section");
    }

    /** An image of its own, so that neither style reaches the other. */
    private static String source(ErrorChart chart) {
        byte[] svg = chart.toSvg().getBytes(StandardCharsets.UTF_8);
        return "data:image/svg+xml;base64," + Base64.getEncoder().encodeToString(svg);
    }
}
