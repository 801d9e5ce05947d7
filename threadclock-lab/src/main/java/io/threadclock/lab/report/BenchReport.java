// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A run of the benchmarks: short for the terminal and README, complete for docs/benchmarks.md and the page. */
public record BenchReport(Results results) {
    private static final String GROWTH = "growth.svg";
    private static final String MOUNTED = "mounted.svg";
    /** All tables of the kept runs, and the way from there to the pictures. */
    static final String KEPT = "threadclock-lab/results/";

    static final String PICTURES = "../../docs/";

    private static final List<String> CHOSEN_IN_C = List.of(
            "bare counter (rdtsc)",
            "CLOCK_THREAD_CPUTIME_ID",
            NativeReads.RSEQ,
            NativeReads.PERF,
            NativeReads.CLOCK,
            "proc: user time");

    record Section(String benchmark, Table table) {}

    /** The costs of reads. */
    public String toText() {
        return "\n" + origin(results.origin()) + "\n\n"
                + new SummaryTable(results).ofAll().toText() + inC() + "\n"
                + database().map(line -> line + "\n").orElse("") + "\n" + notes();
    }

    /** Every table. @param pictures the folder of the charts */
    String toMarkdown(String pictures) {
        return origin(results.origin()) + "\n\n" + notes() + markdown(sections(), pictures);
    }

    private static String markdown(List<Section> sections, String pictures) {
        StringBuilder text = new StringBuilder();
        for (Section section : sections) {
            text.append(section.table().toMarkdown());
            if (section.benchmark().equals(Benchmarks.ARRAY)) {
                text.append("![One call for the times of many threads](" + pictures + GROWTH + ")\n\n");
            }
            if (section.benchmark().equals(Benchmarks.MOUNTED)) {
                text.append("![A unit of work in a virtual thread](" + pictures + MOUNTED + ")\n\n");
            }
        }
        return text.toString();
    }

    /** The tables that inform most. */
    private String toChosenMarkdown() {
        return origin(results.origin()) + "\n\n"
                + new SummaryTable(results).ofAll().toMarkdown()
                + new ReadTables(results)
                        .inC()
                        .only(row -> CHOSEN_IN_C.contains(row.get(0)))
                        .toMarkdown()
                + AttributionCost.table(results)
                        .only(row -> !row.get(1).equals("off"))
                        .toMarkdown()
                + "![One call for the times of many threads](" + GROWTH + ")\n";
    }

    /** The charts of what was measured, by their names. */
    Map<String, String> images() {
        Map<String, String> images = new LinkedHashMap<>();
        if (!results.of(Benchmarks.ARRAY).isEmpty()) {
            images.put(GROWTH, new GrowthChart(results).toSvg());
        }
        if (!results.of(Benchmarks.MOUNTED).isEmpty()) {
            images.put(MOUNTED, new MountedChart(results).toSvg());
        }
        return images;
    }

    /** Only the costs, for a README that stays short. */
    public String toShortMarkdown() {
        return new SummaryTable(results).forReadme().toMarkdown() + "Measured by `./threadclock bench` on "
                + results.origin().describeBriefly() + " ([how](docs/benchmarks.md)).\n";
    }

    /** @param home the checkout */
    public Documents documents(Path home) {
        return new Documents(home)
                .block("README.md", "bench:readme", toShortMarkdown())
                .block("docs/benchmarks.md", "bench", toChosenMarkdown())
                .block(KEPT + "bench.md", "bench:tables", toMarkdown(PICTURES))
                .file("docs/" + GROWTH, new GrowthChart(results).toSvg());
    }

    /** The tables of virtual threads alone. */
    public String toVirtualText() {
        return text(virtualSections());
    }

    /** The table of spans alone. */
    public String toSpansText() {
        return text(spansSections());
    }

    private String text(List<Section> sections) {
        String tables = sections.stream()
                .map(section -> section.table().toText() + '\n')
                .collect(Collectors.joining());
        return "\n" + origin(results.origin()) + "\n\n" + tables;
    }

    /** @param home the checkout */
    public Documents spansDocuments(Path home) {
        String tables = spansSections().stream()
                .map(section -> section.table().toMarkdown())
                .collect(Collectors.joining());
        return new Documents(home)
                .block("docs/opentelemetry.md", "bench:spans", origin(results.origin()) + "\n\n" + tables);
    }

    /** @param home the checkout */
    public Documents virtualDocuments(Path home) {
        String picture = "![A unit of work in a virtual thread](" + MOUNTED + ")";
        return new Documents(home)
                .block("docs/virtual-threads.md", "bench:account", toAccountMarkdown())
                .block("docs/virtual-threads.md", "bench:virtual", picture + "\n\n" + origin(results.origin()))
                .block(
                        KEPT + "bench-virtual.md",
                        "bench:virtual:tables",
                        origin(results.origin()) + "\n\n" + markdown(virtualSections(), PICTURES))
                .file("docs/" + MOUNTED, new MountedChart(results).toSvg());
    }

    /** The costs of an account, a line for each of two JDKs. */
    String toAccountMarkdown() {
        return new AccountCost(results).toSentences() + "\n\n" + origin(results.origin());
    }

    private List<Section> spansSections() {
        return sections().stream()
                .filter(section -> section.benchmark().equals(Benchmarks.SPANS))
                .toList();
    }

    private List<Section> virtualSections() {
        return sections().stream()
                .filter(section -> section.benchmark().startsWith(Benchmarks.VIRTUAL))
                .toList();
    }

    static String origin(Origin origin) {
        return "Measured by `" + origin.command() + "` on " + origin.describe() + "; load average before: "
                + origin.loadBefore() + ".";
    }

    private String notes() {
        String notes = results.notes().stream().map(note -> "- " + note + "\n").collect(Collectors.joining());
        return notes.isEmpty() ? "" : notes + "\n";
    }

    /** The sections that were measured; a run may leave parts out. */
    List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        ReadTables reads = new ReadTables(results);
        ThreadTables threads = new ThreadTables(results);
        add(sections, reads::inC, Benchmarks.NATIVE);
        add(sections, reads::loop, Benchmarks.LOOP);
        add(sections, reads::average, Benchmarks.JMH_AVERAGE);
        results.distributions(Benchmarks.JMH_SAMPLE).stream()
                .map(each -> each.subject().parameter())
                .distinct()
                .forEach(each -> sections.add(new Section(Benchmarks.JMH_SAMPLE, reads.samples(each))));
        addGrowth(sections, Benchmarks.JMH_THREADS, "One call over the number of threads, by JMH, ns", "threads");
        addGrowth(sections, Benchmarks.JMH_NESTING, "A stopwatch's start + stop, nested so deep, ns", "depth");
        addGrowth(sections, Benchmarks.SNAPSHOT, "ThreadsSnapshot.take() of mostly idle threads, ms", "threads");
        add(sections, reads::allocation, Benchmarks.JMH_ALLOCATION);
        add(sections, () -> AttributionCost.table(results), Benchmarks.ENGINE_THROUGHPUT);
        List<Measurement> units = results.distributions(Benchmarks.ENGINE_LATENCY);
        if (!units.isEmpty()) {
            String title = "How long one unit of the database's work takes";
            Table table = ContenderTables.percentiles(title, units, "µs");
            sections.add(new Section(Benchmarks.ENGINE_LATENCY, table));
        }
        add(sections, reads::latency, Benchmarks.LATENCY);
        add(sections, threads::byId, Benchmarks.BY_ID);
        add(sections, threads::array, Benchmarks.ARRAY);
        add(sections, threads::presence, Benchmarks.LIFECYCLE);
        add(sections, threads::attach, Benchmarks.ATTACH);
        add(sections, threads::virtual, Benchmarks.VIRTUAL);
        add(sections, threads::many, Benchmarks.VIRTUAL_MANY);
        add(sections, () -> AttributionCost.virtual(results), Benchmarks.SPLITS_THROUGHPUT);
        addGrowth(
                sections,
                Benchmarks.MOUNTED,
                "A unit of work in an accounted virtual thread by three clocks, ms",
                "busy carriers per CPU");
        add(sections, threads::spans, Benchmarks.SPANS);
        add(sections, threads::memory, Benchmarks.MEMORY);
        return sections;
    }

    private void add(List<Section> sections, Supplier<Table> table, String benchmark) {
        if (results.of(benchmark).stream().anyMatch(Measurement::hasRounds)) {
            sections.add(new Section(benchmark, table.get()));
        }
    }

    private void addGrowth(List<Section> sections, String benchmark, String title, String parameter) {
        add(sections, () -> new ContenderTables(results, benchmark).byParameter(title, parameter), benchmark);
    }

    private String inC() {
        NativeReads inC = new NativeReads(results);
        String sources = List.of(NativeReads.RSEQ, NativeReads.PERF, NativeReads.CLOCK).stream()
                .flatMap(read -> inC.find(read).stream())
                .map(read ->
                        NativeReads.source(read) + " " + Figure.ns(read.spread().median()) + " ns")
                .collect(Collectors.joining(", "));
        return "From C, one reading of user and CPU time costs: " + sources + ". Reading the bare counter costs "
                + Figure.ns(inC.counterNs().median()) + " ns.";
    }

    /**
     * The effect of attribution on a program, from slices in turn, on the newest JDK that parses /proc, if there is
     * one.
     */
    private Optional<String> database() {
        List<String> jdks = results.each(Benchmarks.ENGINE_THROUGHPUT, Subject::jdk);
        return SummaryTable.newestWithProc(jdks).flatMap(jdk -> AttributionCost.all(results).stream()
                .filter(each -> each.jdk().equals(jdk))
                .findFirst()
                .flatMap(BenchReport::database));
    }

    private static Optional<String> database(AttributionCost attribution) {
        Optional<Spread> stock = attribution.ofThroughput(Contest.STOCK);
        Optional<Spread> threadclock = attribution.ofThroughput(Contest.THREADCLOCK);
        return stock.isEmpty() || threadclock.isEmpty()
                ? Optional.empty()
                : Optional.of("A QuestDB on JDK " + Jdk.featureOf(attribution.jdk())
                        + " that reads both times before and after each unit of its work loses "
                        + AttributionCost.text(stock.get()) + " of its throughput with the stock clock, and "
                        + AttributionCost.text(threadclock.get())
                        + " with threadclock (in brackets the intervals of a confidence of 95 %).");
    }
}
