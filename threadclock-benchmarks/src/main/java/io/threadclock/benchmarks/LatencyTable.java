// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.Spread;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Many threads: each call's wall time by percentiles, stock, threadclock, the ratio of the two, the timer alone. */
final class LatencyTable {
    private final List<LatencyMeasurement> measurements;

    LatencyTable(List<LatencyMeasurement> measurements) {
        this.measurements = measurements;
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("JDK"),
                TextTable.left("call"),
                TextTable.left("clock"),
                TextTable.right("calls"),
                TextTable.right("mean"),
                TextTable.right("p50"),
                TextTable.right("p90"),
                TextTable.right("p95"),
                TextTable.right("p99"),
                TextTable.right("p99.9"),
                TextTable.right("p99.99"),
                TextTable.right("max"));
        for (LatencyMeasurement measurement : measurements) {
            addRows(table, measurement, Call.USER_TIME, "user time");
            addRows(table, measurement, Call.CPU_TIME, "CPU time");
            addRow(table, measurement, "timer alone", "", measurement.total(ClockChoice.STOCK, Call.EMPTY));
        }
        return new Section(
                "One call through ThreadMXBean on " + LatencyRun.THREADS
                        + " threads at once: wall ns between two System.nanoTime()",
                table,
                notes());
    }

    private static void addRows(TextTable table, LatencyMeasurement measurement, Call call, String name) {
        Histogram stock = measurement.total(ClockChoice.STOCK, call);
        Histogram threadclock = measurement.total(ClockChoice.AUTO, call);
        addRow(table, measurement, name, ClockChoice.STOCK.toString(), stock);
        addRow(table, measurement, name, ClockChoice.AUTO.toString(), threadclock);
        List<String> cells = new ArrayList<>(List.of(measurement.jdk().version(), name, "ratio", ""));
        cells.add(Figure.ratio(stock.getMean() / threadclock.getMean()));
        for (double percentile : LatencyMeasurement.percentiles()) {
            cells.add(ratio(stock.getValueAtPercentile(percentile), threadclock.getValueAtPercentile(percentile)));
        }
        cells.add(ratio(stock.getMaxValue(), threadclock.getMaxValue()));
        table.row(cells.toArray(String[]::new));
    }

    private static void addRow(
            TextTable table, LatencyMeasurement measurement, String name, String clock, Histogram ns) {
        List<String> cells = new ArrayList<>(List.of(measurement.jdk().version(), name, clock));
        cells.add(Figure.count(ns.getTotalCount()));
        cells.add(Figure.ns(ns.getMean()));
        for (double percentile : LatencyMeasurement.percentiles()) {
            cells.add(Figure.count(ns.getValueAtPercentile(percentile)));
        }
        cells.add(Figure.count(ns.getMaxValue()));
        table.row(cells.toArray(String[]::new));
    }

    /** Both are looks at the same timer, whose steps are a few ns. */
    private static String ratio(long slowNs, long fastNs) {
        return Figure.ratio((double) slowNs / Math.max(1, fastNs));
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("The timer's own cost is in every number; \"timer alone\" is the same with no call between.");
        for (LatencyMeasurement measurement : measurements) {
            notes.add("JDK " + measurement.jdk().version() + ", less the timer's own mean, median (least–most) of "
                    + measurement.rounds() + " rounds: " + lessTimer(measurement, Call.USER_TIME, "user time") + "; "
                    + lessTimer(measurement, Call.CPU_TIME, "CPU time") + ".");
        }
        return notes;
    }

    private static String lessTimer(LatencyMeasurement measurement, Call call, String name) {
        Spread stock = measurement.meanLessTimer(ClockChoice.STOCK, call);
        Spread threadclock = measurement.meanLessTimer(ClockChoice.AUTO, call);
        return name + " " + Figure.spread(stock, Figure::ns) + " ns stock, " + Figure.spread(threadclock, Figure::ns)
                + " ns threadclock, ratio " + Figure.spread(measurement.gainAtMean(call), Figure::ratio);
    }
}
