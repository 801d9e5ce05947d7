// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.List;

/** What was measured by JMH, of snapshots, and of a database: one table each. */
final class LibrarySections {
    private static final String SAMPLING =
            "Each sample is between two looks at System.nanoTime(), which are in the figure; \"empty\" is these alone.";

    private final Results results;

    LibrarySections(Results results) {
        this.results = results;
    }

    List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        addAverage(sections);
        addSamples(sections);
        addGrowth(sections);
        if (has(Benchmarks.JMH_ALLOCATION)) {
            sections.add(new ReadsTable(
                            results,
                            Benchmarks.JMH_ALLOCATION,
                            "Allocated by one call, by JMH, bytes",
                            bytes -> Figure.plain(bytes.least()))
                    .section("The least of the rounds. JMH's own objects are divided among the calls."));
        }
        addEngine(sections);
        return sections;
    }

    private void addAverage(List<Section> sections) {
        if (has(Benchmarks.JMH_AVERAGE)) {
            sections.add(new ReadsTable(
                            results,
                            Benchmarks.JMH_AVERAGE,
                            "One call, by JMH, one thread, ns: median (least–most)",
                            LibrarySections::ns)
                    .section("rdtsc and the clock ids are called through JNI, which is in their figures."));
        }
    }

    private void addSamples(List<Section> sections) {
        List<Distribution> samples = distributions(Benchmarks.JMH_SAMPLE);
        for (Double threads : samples.stream().map(each -> each.subject().parameter()).distinct().toList()) {
            List<Distribution> ofThreads = samples.stream()
                    .filter(each -> each.subject().parameter().equals(threads))
                    .toList();
            sections.add(
                    threads == 1
                            ? PercentileTable.inNs(ofThreads, "Single calls, sampled by JMH, one thread")
                                    .section(SAMPLING)
                            : PercentileTable.inUs(
                                            ofThreads,
                                            "Single calls, sampled by JMH, " + Figure.count(threads.longValue())
                                                    + " threads")
                                    .section(SAMPLING));
        }
    }

    private void addGrowth(List<Section> sections) {
        addGrowth(sections, Benchmarks.JMH_THREADS, "One call over the number of threads, by JMH, ns", "threads");
        addGrowth(sections, Benchmarks.JMH_NESTING, "A stopwatch's start + stop, nested so deep, ns", "depth");
        addGrowth(sections, Benchmarks.SNAPSHOT, "ThreadTimes.snapshot() of mostly idle threads, ms", "threads");
    }

    private void addGrowth(List<Section> sections, String benchmark, String title, String parameter) {
        if (has(benchmark)) {
            sections.add(new ParameterTable(
                            results, benchmark, title + ": median (least–most)", parameter, LibrarySections::figure)
                    .section());
        }
    }

    private void addEngine(List<Section> sections) {
        if (has(Benchmarks.ENGINE_THROUGHPUT)) {
            sections.add(new EngineTable(results).section());
        }
        List<Distribution> latencies = distributions(Benchmarks.ENGINE_LATENCY);
        if (!latencies.isEmpty()) {
            sections.add(PercentileTable.inUs(latencies, "How long one unit of the database's work takes").section());
        }
    }

    private List<Distribution> distributions(String benchmark) {
        return results.distributions().stream()
                .filter(each -> each.subject().benchmark().equals(benchmark))
                .toList();
    }

    private boolean has(String benchmark) {
        return !results.of(benchmark).isEmpty();
    }

    private static String ns(Spread spread) {
        return Figure.spread(spread, Figure::ns);
    }

    private static String figure(Spread spread) {
        return Figure.spread(spread, Figure::plain);
    }
}
