// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.FlameGraph;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.WholeFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A run as one HTML file that needs neither a network nor another file. */
public final class ReportPage {
    private static final String TITLE = "threadclock benchmarks";

    private final Results results;
    private final Optional<Results> older;
    private final Figures figures;
    private final List<Question> questions;
    private final RunFacts facts;

    /** @param older the run that this one is to be compared with */
    public ReportPage(Results results, Optional<Results> older) {
        this.results = results;
        this.older = older;
        this.figures = new Figures(results);
        this.questions = Question.inOrder(figures.benchmarks());
        this.facts = new RunFacts(results.origin());
    }

    /**
     * Writes {@code index.html}.
     *
     * @param directory is made if it is not there
     * @return the file
     * @throws io.threadclock.harness.SetupException if it cannot be written
     */
    public Path write(Path directory) {
        Path file = directory.resolve("index.html");
        WholeFile.write(file, toHtml());
        return file;
    }

    /** The whole document. */
    public String toHtml() {
        Html html = new Html();
        Charts charts = new Charts();
        new PageHead(TITLE, results.origin()).write(html);
        html.open("main");
        new Headline(figures).write(html);
        writeContents(html);
        facts.write(html);
        older.ifPresent(run -> new Comparison(run, results).write(html));
        questions.forEach(question -> new BenchmarkSection(question, figures).write(html, charts));
        writeFlameGraphs(html);
        new Method(results.notes(), figures.unmeasured()).write(html);
        html.close("main");
        writeFooter(html);
        writeScripts(html, charts);
        return html.close("body").close("html").toString();
    }

    private void writeContents(Html html) {
        html.open("nav", "aria-label", "Contents").open("ul");
        link(html, "#run", "The run");
        older.ifPresent(run -> link(html, "#comparison", "Against an older run"));
        questions.forEach(question -> link(html, "#" + question.anchor(), question.title()));
        if (!results.flameGraphs().isEmpty()) {
            link(html, "#flames", "Flame graphs");
        }
        link(html, "#method", "How it is measured");
        html.close("ul").close("nav");
    }

    private static void link(Html html, String target, String text) {
        html.open("li").element("a", text, "href", target).close("li");
    }

    private void writeFlameGraphs(Html html) {
        if (results.flameGraphs().isEmpty()) {
            return;
        }
        html.open("section", "id", "flames").element("h2", "Flame graphs");
        html.element("p", "Pages beside this one; where the time goes, before and after.", "class", "explanation");
        html.open("ul", "class", "flames");
        for (FlameGraph graph : results.flameGraphs()) {
            // "./": whatever the name holds, it is a file beside the page.
            html.open("li").element("a", graph.title(), "href", "./" + graph.file());
            html.text(": " + Amount.percent(graph.systemCallShare()) + " of the samples in a system call").close("li");
        }
        html.close("ul").close("section");
    }

    private void writeFooter(Html html) {
        html.open("footer").element("p", "Charts: uPlot, MIT licence.");
        html.open("details").element("summary", "Its licence");
        html.element("pre", new PageResource("uplot/LICENSE").text());
        html.close("details").close("footer");
    }

    private static void writeScripts(Html html, Charts charts) {
        if (charts.isEmpty()) {
            return;
        }
        html.verbatim("script", new PageResource("uplot/uPlot.iife.min.js").text());
        html.verbatim("script", charts.json(), "type", "application/json", "id", "charts");
        html.verbatim("script", new PageResource("charts.js").text());
    }
}
