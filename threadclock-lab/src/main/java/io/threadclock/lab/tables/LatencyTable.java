// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;

/** Many threads: each call's wall time by percentiles, stock, threadclock, the ratio of the two, the timer alone. */
final class LatencyTable {
    private static final double GREATEST = 100;

    private final List<Latency> latencies;

    LatencyTable(Results results) {
        this.latencies = Latency.all(results);
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
        for (Latency latency : latencies) {
            addRows(table, latency, "user time");
            addRows(table, latency, "CPU time");
            addRow(table, latency, "timer alone", "", latency.total(Contest.STOCK, Latency.TIMER));
        }
        String threads = Figure.count((long) latencies.get(0).threads());
        return new Section(
                "One call through ThreadMXBean on " + threads
                        + " threads at once: wall ns between two System.nanoTime()",
                table,
                notes());
    }

    private static void addRows(TextTable table, Latency latency, String quantity) {
        Distribution stock = latency.total(Contest.STOCK, quantity);
        Distribution threadclock = latency.total(Contest.THREADCLOCK, quantity);
        addRow(table, latency, quantity, Contest.STOCK, stock);
        addRow(table, latency, quantity, Contest.THREADCLOCK, threadclock);
        List<String> cells = new ArrayList<>(List.of(latency.jdk(), quantity, "ratio", ""));
        cells.add(Figure.ratio(stock.mean() / threadclock.mean()));
        for (double percentile : percentiles()) {
            // Both are looks at the same timer, whose steps are a few ns.
            cells.add(Figure.ratio(stock.at(percentile) / Math.max(1, threadclock.at(percentile))));
        }
        table.row(cells.toArray(String[]::new));
    }

    private static void addRow(
            TextTable table, Latency latency, String quantity, String clock, Distribution ns) {
        List<String> cells = new ArrayList<>(List.of(latency.jdk(), quantity, clock));
        cells.add(Figure.count(ns.count()));
        cells.add(Figure.ns(ns.mean()));
        for (double percentile : percentiles()) {
            cells.add(Figure.count((long) ns.at(percentile)));
        }
        table.row(cells.toArray(String[]::new));
    }

    private static List<Double> percentiles() {
        List<Double> shown = new ArrayList<>(Latency.percentiles());
        shown.add(GREATEST);
        return shown;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("The timer's own cost is in every number; \"timer alone\" is the same with no call between.");
        for (Latency latency : latencies) {
            notes.add("JDK " + latency.jdk() + ", less the timer's own mean, median (least–most) of "
                    + latency.rounds() + " rounds: " + lessTimer(latency, "user time") + "; "
                    + lessTimer(latency, "CPU time") + ".");
        }
        return notes;
    }

    private static String lessTimer(Latency latency, String quantity) {
        return quantity + " " + lessTimer(latency, Contest.STOCK, quantity) + " ns stock, "
                + lessTimer(latency, Contest.THREADCLOCK, quantity) + " ns threadclock, ratio "
                + Figure.spread(latency.gainAtMean(quantity), Figure::ratio);
    }

    private static String lessTimer(Latency latency, String contender, String quantity) {
        return Figure.spread(latency.meanLessTimer(contender, quantity), Figure::ns);
    }
}
