// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.report.BenchReport.Section;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Results.FlameGraph;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A run of the benchmarks as {@code report/index.html}: the tables of docs/benchmarks.md, with charts. */
public final class BenchPage {
    /** A table with more rows is folded if a chart shows the same. */
    private static final int UNFOLDED_ROWS = 12;

    /** How to read the numbers: titles and texts. */
    private static final Map<String, String> METHOD = new LinkedHashMap<>();

    static {
        METHOD.put(
                "Median, least and most",
                "A figure is the median over rounds; in brackets stand the least and the greatest round, which are no "
                        + "confidence interval.");
        METHOD.put(
                "Ratios are of one round",
                "Contenders run in turn, round after round, so that what else happens on the machine happens to all. A "
                        + "ratio is taken within each round, and its median and spread are over the rounds: a drift of "
                        + "the machine falls out. It may differ a little from the ratio of the two medians.");
        METHOD.put(
                "Average time beside sampled time",
                "A sample is taken between two looks at System.nanoTime(). The cost of the looks is in every sample: it is "
                        + "the row \"empty\", several times what a cheap read takes, and they advance in steps of their "
                        + "own. Sampled figures show tails, where that does not matter, and average time shows what a "
                        + "read costs.");
        METHOD.put(
                "The floor of a call into C",
                "Plain Java cannot read the counter or ask the kernel. rdtsc and the clock ids are read through a small "
                        + "native library by JNI, and the way there and back is in their figures: \"empty JNI call\" is "
                        + "that way alone, \"empty\" what measuring itself takes. No reading by JNI can cost less; FFM "
                        + "has a way of its own.");
        METHOD.put(
                "Percentiles",
                "The horizontal axis counts nines: 90, 99, 99.9 are as far from one another. \"max\" is the one greatest "
                        + "sample, for which there is no place on that scale. With more threads than CPUs, tails are "
                        + "mostly of threads that wait for a CPU.");
    }

    private final Results results;
    private final int unmeasured;
    private final Optional<Comparison> comparison;
    private final List<Section> sections;

    /** @param older the run that this one is to be compared with */
    public BenchPage(Results results, Optional<Results> older) {
        this.results = measured(results);
        this.unmeasured =
                results.measurements().size() - this.results.measurements().size();
        this.comparison = older.map(run -> new Comparison(measured(run), this.results));
        this.sections = new BenchReport(this.results).sections();
    }

    /** Leaves out values that are not finite. */
    private static Results measured(Results all) {
        return all.with(
                all.measurements().stream().filter(Measurement::allFinite).toList());
    }

    /**
     * Writes {@code index.html}.
     *
     * @param directory is made if it is not there
     * @return the file
     * @throws io.threadclock.harness.SetupException if it cannot be written
     */
    public Path write(Path directory) {
        return Page.write(directory.resolve("index.html"), toHtml());
    }

    String toHtml() {
        Page page = new Page("threadclock benchmarks", results.origin());
        new Headline(results).write(page.html());
        writeContents(page.html());
        page.run();
        comparison.ifPresent(each -> each.write(page));
        sections.forEach(section -> write(page, section));
        writeFlameGraphs(page);
        writeMethod(page);
        return page.end();
    }

    private void writeContents(Html html) {
        html.open("nav", "aria-label", "Contents").open("ul");
        link(html, "run", "The run");
        comparison.ifPresent(each -> link(html, "comparison", "Against an older run"));
        sections.forEach(section -> link(html, anchor(section), heading(section)));
        if (!results.flameGraphs().isEmpty()) {
            link(html, "flames", "Flame graphs");
        }
        link(html, "method", "How it is measured");
        html.close("ul").close("nav");
    }

    private static void link(Html html, String anchor, String text) {
        html.open("li").element("a", text, "href", "#" + anchor).close("li");
    }

    private static String anchor(Section section) {
        String parameter =
                section.parameter() == null ? "" : "-" + section.parameter().longValue();
        return "b-" + section.benchmark().replaceAll("[^A-Za-z0-9]+", "-") + parameter;
    }

    private static String heading(Section section) {
        return section.table().title().replaceFirst(": .*", "");
    }

    private void write(Page page, Section section) {
        page.section(anchor(section), heading(section), "");
        List<PageCharts.Chart> growth = new ArrayList<>();
        List<PageCharts.Chart> percentiles = new ArrayList<>();
        List<String> jdks = results.measurements().stream()
                .map(each -> each.subject().jdk())
                .distinct()
                .toList();
        for (String jdk : jdks) {
            String title = ContenderTables.jdk(jdk);
            PageCharts.growth(title, results.of(section.benchmark(), jdk)).ifPresent(growth::add);
            PageCharts.percentiles(title, distributions(section, jdk)).ifPresent(percentiles::add);
        }
        page.charts().write(page.html(), growth);
        page.charts().write(page.html(), percentiles);
        boolean isDrawn = !growth.isEmpty() || !percentiles.isEmpty();
        boolean isFolded = isDrawn && section.table().rows().size() > UNFOLDED_ROWS;
        Html html = page.html();
        if (isFolded) {
            html.open("details").element("summary", "All figures");
        }
        html.open("div", "class", "tables");
        section.table()
                .write(
                        html,
                        section.table()
                                .title()
                                .substring(heading(section).length())
                                .replaceFirst("^: ", ""));
        html.close("div");
        if (isFolded) {
            html.close("details");
        }
        html.close("section");
    }

    private List<Measurement> distributions(Section section, String jdk) {
        return results.of(section.benchmark(), jdk).stream()
                .filter(one -> one.samples() > 0)
                .filter(one -> section.parameter() == null
                        || Objects.equals(section.parameter(), one.subject().parameter()))
                .toList();
    }

    private void writeFlameGraphs(Page page) {
        if (results.flameGraphs().isEmpty()) {
            return;
        }
        Html html =
                page.section("flames", "Flame graphs", "Pages beside this one; where the time goes, before and after.");
        html.open("ul", "class", "flames");
        for (FlameGraph graph : results.flameGraphs()) {
            // "./" makes it a file beside the page, whatever the name contains.
            html.open("li").element("a", graph.title(), "href", "./" + graph.file());
            html.text(": " + Figure.percent(graph.systemCallShare()) + " of the samples in a system call")
                    .close("li");
        }
        html.close("ul").close("section");
    }

    private void writeMethod(Page page) {
        Html html = page.section("method", "How it is measured", "").open("dl", "class", "method");
        METHOD.forEach((title, text) ->
                html.open("div").element("dt", title).element("dd", text).close("div"));
        html.close("dl");
        List<String> notes = new ArrayList<>(results.notes());
        if (unmeasured > 0) {
            notes.add(Figure.count(unmeasured) + " figures without a finite number are left out.");
        }
        if (!notes.isEmpty()) {
            html.element("h3", "Notes of this run").list("notes", notes);
        }
        html.close("section");
    }
}
