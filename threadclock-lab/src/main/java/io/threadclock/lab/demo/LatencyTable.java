// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static io.threadclock.harness.TextTable.left;
import static io.threadclock.harness.TextTable.right;

import io.threadclock.lab.demo.message.PhaseResult;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** The wall time of one call, by percentiles: stock, threadclock, the ratio of the two, and the timer alone. */
final class LatencyTable {
    static final double MEDIAN = 50;
    static final double[] PERCENTILES = {MEDIAN, 90, 99, 99.9, 99.99};

    private final String call;
    private final Function<PhaseResult, Histogram> callNs;
    private final List<JdkMeasurement> measurements;
    private final List<Integer> workers;

    private LatencyTable(
            String call,
            Function<PhaseResult, Histogram> callNs,
            List<JdkMeasurement> measurements,
            List<Integer> workers) {
        this.call = call;
        this.callNs = callNs;
        this.measurements = measurements;
        this.workers = workers;
    }

    static LatencyTable ofUserTime(List<JdkMeasurement> measurements, List<Integer> workers) {
        return new LatencyTable("getCurrentThreadUserTime()", PhaseResult::userCallNs, measurements, workers);
    }

    static LatencyTable ofCpuTime(List<JdkMeasurement> measurements, List<Integer> workers) {
        return new LatencyTable("getCurrentThreadCpuTime()", PhaseResult::cpuCallNs, measurements, workers);
    }

    /** For each JDK and number of threads: stock, threadclock, their ratio, the timer alone. */
    Section section() {
        TextTable table = new TextTable(columns());
        List<String> notes = new ArrayList<>();
        notes.add("Wall time between two System.nanoTime() around the call, the timer's own cost included"
                + " (\"timer alone\": the same with no call between).");
        forEach(measurements, workers, (measurement, count) -> {
            String jdk = measurement.jdk().version();
            Histogram stock = histogram(measurement, count, Contender.STOCK);
            Histogram threadclock = histogram(measurement, count, Contender.THREADCLOCK);
            table.row(row(jdk, count, Contender.STOCK.toString(), stock));
            table.row(row(jdk, count, Contender.THREADCLOCK.toString(), threadclock));
            table.row(ratioRow(jdk, count, stock, threadclock));
            table.row(row(jdk, count, "timer alone", measurement.timerNs(count)));
            notes.add(lessTimer(measurement, count));
        });
        return new Section("One " + call + ", in ns", table, notes);
    }

    private static TextTable.Column[] columns() {
        return new TextTable.Column[] {
            left("JDK"),
            right("threads"),
            left("clock"),
            right("calls"),
            right("mean"),
            right("p50"),
            right("p90"),
            right("p99"),
            right("p99.9"),
            right("p99.99"),
            right("max")
        };
    }

    static void forEach(List<JdkMeasurement> measurements, List<Integer> workers, Place action) {
        for (JdkMeasurement measurement : measurements) {
            for (int count : workers) {
                action.at(measurement, count);
            }
        }
    }

    /** One JDK with one number of threads. */
    @FunctionalInterface
    interface Place {
        void at(JdkMeasurement measurement, int workers);
    }

    private Histogram histogram(JdkMeasurement measurement, int count, Contender contender) {
        return callNs.apply(measurement.of(count, contender, true).total());
    }

    /** What is left of the medians without the timer; said in words, for it is a difference of two measurements. */
    private String lessTimer(JdkMeasurement measurement, int count) {
        Histogram timer = measurement.timerNs(count);
        long stockNs = new CallCost(histogram(measurement, count, Contender.STOCK), timer).medianLessTimerNs();
        long threadclockNs =
                new CallCost(histogram(measurement, count, Contender.THREADCLOCK), timer).medianLessTimerNs();
        String ratio = threadclockNs > 0 ? ", ratio " + Figure.ratio((double) stockNs / threadclockNs) : "";
        return "- JDK " + measurement.jdk().version() + ", " + count + (count == 1 ? " thread" : " threads")
                + ": less the timer's median of " + Figure.ns(timer.getValueAtPercentile(MEDIAN))
                + " ns the medians are "
                + Figure.ns(stockNs) + " ns and " + Figure.ns(threadclockNs) + " ns" + ratio + ".";
    }

    static String[] row(String jdk, int count, String clock, Histogram ns) {
        List<String> cells = new ArrayList<>(List.of(jdk, Integer.toString(count), clock));
        cells.add(Figure.count(ns.getTotalCount()));
        cells.add(Figure.ns(ns.getMean()));
        for (double percentile : PERCENTILES) {
            cells.add(Figure.ns(ns.getValueAtPercentile(percentile)));
        }
        cells.add(Figure.ns(ns.getMaxValue()));
        return cells.toArray(String[]::new);
    }

    static String[] ratioRow(String jdk, int count, Histogram slow, Histogram fast) {
        List<String> cells = new ArrayList<>(List.of(jdk, Integer.toString(count), "ratio", ""));
        cells.add(Figure.ratio(slow.getMean() / fast.getMean()));
        for (double percentile : PERCENTILES) {
            cells.add(ratio(slow.getValueAtPercentile(percentile), fast.getValueAtPercentile(percentile)));
        }
        cells.add(ratio(slow.getMaxValue(), fast.getMaxValue()));
        return cells.toArray(String[]::new);
    }

    static String ratio(long slowNs, long fastNs) {
        return Figure.ratio((double) slowNs / Math.max(1, fastNs));
    }
}
