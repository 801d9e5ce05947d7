// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.benchmarks.program.Quantity;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Machine;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that a run measured, for the terminal and for the documents. */
record BenchReport(
        Machine machine,
        String loadBefore,
        String command,
        NativeMeasurement inC,
        List<LoopMeasurement> loops,
        List<LatencyMeasurement> latencies,
        List<AllThreadsMeasurement> allThreads,
        MemoryMeasurement memory) {
    /** The file beside docs/benchmarks.md. */
    static final String CHART = "growth.svg";

    String toText() {
        return "\n" + origin() + "\n\n" + sections().map(Section::toText).collect(Collectors.joining());
    }

    /** Every table. */
    String toMarkdown() {
        String chart = "![One call for the times of many threads](" + CHART + ")\n\n";
        Section arrays = new ArrayTable(allThreads).section();
        return origin() + "\n\n"
                + sections()
                        .map(section -> section.toMarkdown() + (section.title().equals(arrays.title()) ? chart : ""))
                        .collect(Collectors.joining());
    }

    String growthChart() {
        return new GrowthChart(allThreads).toSvg();
    }

    /** The costs alone: for a README that stays short. */
    String toShortMarkdown() {
        TextTable table = new TextTable(
                TextTable.left("one call, ns"),
                TextTable.right("stock"),
                TextTable.right("threadclock"),
                TextTable.right("ratio"));
        loops.forEach(loop -> {
            addRow(table, loop, Call.USER_TIME, "getCurrentThreadUserTime()");
            addRow(table, loop, Call.CPU_TIME, "getCurrentThreadCpuTime()");
        });
        latencies.forEach(latency -> addRow(table, latency));
        allThreads.forEach(measurement -> addRow(table, measurement));
        return table.toMarkdown() + "\n" + inCInWords() + "\n\n" + origin() + "\n";
    }

    private Stream<Section> sections() {
        return Stream.of(
                new TargetTable(inC, loops, latencies, allThreads, memory, machine.cpus()).section(),
                inC.section(),
                new LoopTable(loops).section(),
                new LatencyTable(latencies).section(),
                new ByIdTable(allThreads).section(),
                new ArrayTable(allThreads).section(),
                new PresenceTable(allThreads).section(),
                new AttachTable(allThreads).section(),
                memory.section());
    }

    private static void addRow(TextTable table, LoopMeasurement loop, Call call, String name) {
        table.row(
                "JDK " + loop.jdk().feature() + ", `" + name + "`",
                Figure.ns(loop.ns(ClockChoice.STOCK, call).median()),
                Figure.ns(loop.ns(ClockChoice.AUTO, call).median()),
                Figure.ratio(loop.gain(ClockChoice.AUTO, call).median()));
    }

    private static void addRow(TextTable table, LatencyMeasurement latency) {
        table.row(
                "JDK " + latency.jdk().feature() + ", user time on " + latency.threads() + " threads at once, mean",
                Figure.ns(latency.meanLessTimer(ClockChoice.STOCK, Call.USER_TIME).median()),
                Figure.ns(latency.meanLessTimer(ClockChoice.AUTO, Call.USER_TIME).median()),
                Figure.ratio(latency.gainAtMean(Call.USER_TIME).median()));
    }

    private static void addRow(TextTable table, AllThreadsMeasurement measurement) {
        ArrayReading reading = new ArrayReading(1000, Quantity.USER_TIME);
        Rounds<ArrayReading> arrays = measurement.arrays();
        table.row(
                "JDK " + measurement.jdk().feature() + ", user time of 1,000 threads in one call, each",
                Figure.ns(arrays.ns(reading, Loading.STOCK).median()),
                Figure.ns(arrays.ns(reading, Loading.ATTACHED).median()),
                Figure.ratio(arrays.gain(reading, Loading.ATTACHED).median()));
    }

    private String inCInWords() {
        String sources = Stream.of(NativeMeasurement.RSEQ, NativeMeasurement.PERF, NativeMeasurement.CLOCK)
                .flatMap(row -> inC.cost(row).stream())
                .map(cost -> cost.source() + " " + Figure.ns(cost.ns().median()) + " ns")
                .collect(Collectors.joining(", "));
        return "In C, user and CPU time in one reading: " + sources + "; a bare look at the counter "
                + Figure.ns(inC.counterNs().median()) + " ns.";
    }

    private String origin() {
        List<Jdk> jdks = loops.stream().map(LoopMeasurement::jdk).toList();
        return "Measured by `" + command + "` on " + machine.describe(jdks) + "; load average before: " + loadBefore
                + ".";
    }
}
