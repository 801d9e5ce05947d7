// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;

/** A run of the benchmarks as {@code report/index.html}: all tables, with charts and flame graphs. */
public final class BenchPage {
    private static final String METHOD =
            """
            ## How it is measured

            - **Median, least and most.** A figure is the median over rounds; in brackets stand the least and the greatest \
            round, which are no confidence interval.
            - **Ratios are of one round.** Contenders run in turn, round after round, so that what else happens on the machine \
            happens to all. A ratio is taken within each round, and its median and spread are over the rounds: a drift of the \
            machine falls out. It may differ a little from the ratio of the two medians.
            - **Average time beside sampled time.** A sample is taken between two looks at System.nanoTime(). The cost of the \
            looks is in every sample: it is the row "empty", several times what a cheap read takes, and they advance in steps of \
            their own. Sampled figures show tails, where that does not matter, and average time shows what a read costs.
            - **The least cost of a call into C.** Plain Java cannot read the counter or ask the kernel. rdtsc and the clock ids are \
            read through a small native library by JNI, and the way there and back is in their figures: "empty JNI call" is that \
            way alone, "empty" what measuring itself takes. No reading by JNI can cost less; FFM has a way of its own.
            - **Percentiles.** With more threads than CPUs, tails are mostly of threads that wait for a CPU.
            """;

    private final Results results;
    private final int unmeasured;
    private final Optional<Comparison> comparison;

    /** @param older the run that this one is to be compared with */
    public BenchPage(Results results, Optional<Results> older) {
        this.results = measured(results);
        this.unmeasured =
                results.measurements().size() - this.results.measurements().size();
        this.comparison = older.map(run -> new Comparison(measured(run), this.results));
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
        return page().write(directory.resolve("index.html"));
    }

    Page page() {
        BenchReport report = new BenchReport(results);
        Page page = new Page("threadclock benchmarks")
                .add(new SummaryTable(results).forReadme().toMarkdown());
        comparison.ifPresent(each -> page.add(each.toMarkdown()));
        page.add("## All figures\n\n")
                .add(report.toMarkdown(""))
                .add(flameGraphs())
                .add(METHOD);
        report.images().forEach(page::image);
        if (unmeasured > 0) {
            page.add("\n" + Figure.count(unmeasured) + " figures without a finite number are left out.\n");
        }
        return page;
    }

    private String flameGraphs() {
        // "./" makes it a file beside the page, whatever the name contains.
        String links = results.flameGraphs().stream()
                .map(graph -> "- [" + graph.title() + "](<./" + graph.file() + ">): "
                        + Figure.percent(graph.systemCallShare()) + " of the samples in a system call\n")
                .collect(Collectors.joining());
        return links.isEmpty() ? "" : "## Flame graphs: where the time goes, before and after\n\n" + links + "\n";
    }
}
