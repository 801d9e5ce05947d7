// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.WholeFile;
import io.threadclock.lab.results.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The common part of all pages. A page is one file that needs neither a network nor another file. */
final class Page {
    /** Nothing is loaded, whatever a text in the results says: links are followed, not fetched. */
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

    private static final long SECONDS_PER_MINUTE = 60;

    private final Html html = new Html();
    private final PageCharts charts = new PageCharts();
    private final Origin origin;

    /** Up to what is seen first: the title, and where the figures are from. */
    Page(String title, Origin origin) {
        this.origin = origin;
        html.doctype().open("html", "lang", "en").open("head").open("meta", "charset", "utf-8");
        html.open("meta", "http-equiv", "Content-Security-Policy", "content", POLICY);
        html.open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.open("meta", "name", "color-scheme", "content", "light dark");
        html.element("title", title);
        html.verbatim("style", resource("uplot/uPlot.min.css"));
        html.verbatim("style", resource("page.css"));
        html.close("head").open("body").open("header").element("h1", title);
        String day = origin.startedAt().replaceFirst("T.*", "");
        html.element("p", machine() + " · " + kernel() + " · " + day);
        html.close("header").open("main");
    }

    Html html() {
        return html;
    }

    PageCharts charts() {
        return charts;
    }

    /** A text of this package's resources. */
    static String resource(String name) {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("Reading " + name + " of this package: it is not there. Build again.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A section with its title, to be closed. */
    Html section(String anchor, String title, String explanation) {
        html.open("section", "id", anchor).element("h2", title);
        return explanation.isEmpty() ? html : html.element("p", explanation, "class", "explanation");
    }

    /** Tables below one another. */
    void tables(List<Table> tables) {
        html.open("div", "class", "tables");
        tables.forEach(table -> table.write(html));
        html.close("div");
    }

    /** The same, folded away. */
    void folded(String summary, List<Table> tables) {
        html.open("details").element("summary", summary);
        tables(tables);
        html.close("details");
    }

    /** Where the figures are from. */
    void run() {
        section("run", "The run", "").open("dl", "class", "facts");
        fact("Machine", machine());
        fact("Kernel", kernel());
        fact("Clock tick", origin.ticksPerSecond() == null ? null : "HZ=" + origin.ticksPerSecond());
        fact("Load average before", origin.loadBefore());
        fact("Date", origin.startedAt());
        fact("Took", took());
        fact("threadclock", origin.version());
        html.open("div", "class", "command").element("dt", "Command");
        html.open("dd")
                .element("code", origin.command())
                .close("dd")
                .close("div")
                .close("dl");
        if (!origin.runtimes().isEmpty()) {
            tables(List.of(runtimes()));
        }
        html.close("section");
    }

    private void fact(String name, String fact) {
        html.open("div").element("dt", name).element("dd", fact).close("div");
    }

    private String machine() {
        return origin.cpuModel()
                + (origin.virtual() ? " (virtual machine), " : ", ")
                + origin.cpus()
                + (origin.cpus() == 1 ? " CPU" : " CPUs");
    }

    private String kernel() {
        return "Linux " + origin.kernel();
    }

    private String took() {
        long minutes = origin.seconds() / SECONDS_PER_MINUTE;
        String seconds = origin.seconds() % SECONDS_PER_MINUTE + " s";
        return minutes == 0 ? seconds : Figure.count(minutes) + " min " + seconds;
    }

    private Table runtimes() {
        Table table = new Table(
                "JDKs, and the clock on each",
                Table.words("JDK"),
                Table.words("vendor"),
                Table.words("clock source"),
                Table.words("the library's binding"));
        origin.runtimes().forEach(jdk -> table.row(jdk.version(), jdk.vendor(), jdk.source(), jdk.binding()));
        return table;
    }

    /** The whole document. */
    String end() {
        html.close("main").open("footer");
        if (!charts.isEmpty()) {
            html.element("p", "Charts: uPlot, MIT licence.").open("details").element("summary", "Its licence");
            html.element("pre", resource("uplot/LICENSE")).close("details");
        }
        html.close("footer");
        if (!charts.isEmpty()) {
            html.verbatim("script", resource("uplot/uPlot.iife.min.js"));
            html.verbatim("script", charts.json(), "type", "application/json", "id", "charts");
            html.verbatim("script", resource("charts.js"));
        }
        return html.close("body").close("html").toString();
    }

    /**
     * Writes a page.
     *
     * @throws io.threadclock.harness.SetupException if it cannot be written
     */
    static Path write(Path file, String document) {
        WholeFile.write(file, document);
        return file;
    }
}
