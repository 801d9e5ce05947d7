// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A run as text: short for the terminal and the README, whole for docs/benchmarks.md. */
public record Report(Results results) {
    /** The file beside docs/benchmarks.md. */
    public static final String CHART = "growth.svg";

    /** What a read costs, and how many of the figures to reach were reached. */
    public String toText() {
        List<Target> targets = new TargetTable(results).targets();
        long reached = targets.stream().filter(target -> target.verdict().equals(Target.YES)).count();
        String missed = targets.stream()
                .filter(target -> !target.verdict().equals(Target.YES))
                .map(target -> "  " + target.quantity() + ": " + target.reached() + " (" + target.wanted() + "): "
                        + target.verdict() + "\n")
                .collect(Collectors.joining());
        return "\n" + origin() + "\n\n" + new ShortTable(results).table().toText() + "\n" + inCInWords() + "\n\n"
                + Figure.count(reached) + " of " + Figure.count(targets.size()) + " figures to reach are reached."
                + (missed.isEmpty() ? "" : " The others:") + "\n" + missed + "\n" + notes();
    }

    /** Every table. */
    public String toMarkdown() {
        String chart = "![One call for the times of many threads](" + CHART + ")\n\n";
        StringBuilder text = new StringBuilder(origin()).append("\n\n").append(notes());
        for (Section section : sections()) {
            text.append(section.toMarkdown()).append(section.title().equals(ArrayTable.TITLE) ? chart : "");
        }
        return text.toString();
    }

    /** The costs alone: for a README that stays short. */
    public String toShortMarkdown() {
        return new ShortTable(results).forReadme().toMarkdown() + "\n" + inCInWords() + "\n" + origin() + "\n";
    }

    /** The picture of docs/benchmarks.md, as SVG. */
    public String growthChart() {
        return new GrowthChart(results).toSvg();
    }

    private String notes() {
        String notes = results.notes().stream().map(note -> "- " + note + "\n").collect(Collectors.joining());
        return notes.isEmpty() ? "" : notes + "\n";
    }

    /** Of what was measured; a run may leave parts out. */
    private List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        sections.add(new TargetTable(results).section());
        sections.add(new NativeTable(results).section());
        if (has(Benchmarks.LOOP)) {
            sections.add(new LoopTable(results).section());
        }
        sections.addAll(new LibrarySections(results).sections());
        if (has(Benchmarks.LATENCY)) {
            sections.add(new LatencyTable(results).section());
        }
        if (has(Benchmarks.BY_ID)) {
            sections.add(new ByIdTable(results).section());
            sections.add(new ArrayTable(results).section());
            sections.add(new PresenceTable(results).section());
            sections.add(new AttachTable(results).section());
        }
        if (has(Benchmarks.VIRTUAL)) {
            sections.add(new VirtualTable(results).section());
        }
        if (has(Benchmarks.MEMORY)) {
            sections.add(new MemoryTable(results).section());
        }
        return sections;
    }

    private boolean has(String benchmark) {
        return !results.of(benchmark).isEmpty();
    }

    private String inCInWords() {
        NativeReads inC = new NativeReads(results);
        String sources = List.of(NativeReads.RSEQ, NativeReads.PERF, NativeReads.CLOCK).stream()
                .flatMap(read -> inC.find(read).stream())
                .map(read -> NativeReads.source(read) + " " + Figure.ns(read.spread().median()) + " ns")
                .collect(Collectors.joining(", "));
        return "From C, one reading of user and CPU time costs: " + sources + ". Reading the bare counter costs "
                + Figure.ns(inC.counterNs().median()) + " ns.";
    }

    private String origin() {
        return "Measured by `" + results.origin().command() + "` on " + results.origin().describe()
                + "; load average before: " + results.origin().loadBefore() + ".";
    }
}
