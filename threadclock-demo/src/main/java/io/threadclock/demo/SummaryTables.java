// SPDX-License-Identifier: Apache-2.0
package io.threadclock.demo;

import static io.threadclock.harness.TextTable.left;
import static io.threadclock.harness.TextTable.right;

import io.threadclock.demo.message.LawBreaches;
import io.threadclock.demo.message.PhaseResult;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** The tables in few rows, each cell from stock to threadclock: for a README. */
final class SummaryTables {
    private final List<JdkMeasurement> measurements;
    private final List<Integer> workers;

    SummaryTables(List<JdkMeasurement> measurements, List<Integer> workers) {
        this.measurements = measurements;
        this.workers = workers;
    }

    /** What a call for user time takes, on each JDK, with each number of threads. */
    Section calls() {
        TextTable table = new TextTable(
                left("JDK, threads"),
                right("calls"),
                right("mean"),
                right("p50"),
                right("p90"),
                right("p99"),
                right("p99.9"),
                right("p99.99"),
                right("max"));
        forEach((measurement, count) -> table.row(callRow(measurement, count)));
        return new Section(
                "One call of getCurrentThreadUserTime(), in ns, stock → threadclock (ratio)",
                table,
                List.of("The timer around the call, " + timers() + " ns by itself, is in every figure."));
    }

    /** What the calls do to the program, and whether they tell the truth. */
    Section program() {
        TextTable table = new TextTable(
                left("JDK, threads"),
                right("units of work/s, clocks unread"),
                right("read"),
                right("CPU spent on reading"),
                right("user + system = CPU, s"),
                right("contradictions"),
                right("units with no user time"));
        forEach((measurement, count) -> table.row(programRow(measurement, count)));
        return new Section("The program, stock → threadclock", table, List.of());
    }

    private static String[] callRow(JdkMeasurement measurement, int count) {
        Histogram stock =
                measurement.of(count, Contender.STOCK, true).total().userCallNs();
        Histogram threadclock =
                measurement.of(count, Contender.THREADCLOCK, true).total().userCallNs();
        List<String> cells = new ArrayList<>(List.of(place(measurement, count)));
        cells.add(fromTo(stock.getTotalCount(), threadclock.getTotalCount(), Figure::count));
        cells.add(faster(Math.round(stock.getMean()), Math.round(threadclock.getMean())));
        for (double percentile : LatencyTable.PERCENTILES) {
            cells.add(faster(stock.getValueAtPercentile(percentile), threadclock.getValueAtPercentile(percentile)));
        }
        cells.add(faster(stock.getMaxValue(), threadclock.getMaxValue()));
        return cells.toArray(String[]::new);
    }

    private static String[] programRow(JdkMeasurement measurement, int count) {
        PhaseResult stock = measurement.of(count, Contender.STOCK, true).total();
        PhaseResult threadclock =
                measurement.of(count, Contender.THREADCLOCK, true).total();
        return new String[] {
            place(measurement, count),
            unitsPerSecond(measurement, count, false),
            unitsPerSecond(measurement, count, true),
            both(
                    stock,
                    threadclock,
                    phase -> Figure.percent(ProgramTable.readingShare(phase, measurement.timerNs(count)))),
            both(stock, threadclock, SummaryTables::sum),
            both(stock, threadclock, phase -> Figure.count(contradictions(phase.breaches()))),
            both(stock, threadclock, phase -> Figure.percentOf(phase.unitsWithoutUserTime(), phase.units()))
        };
    }

    private static String unitsPerSecond(JdkMeasurement measurement, int count, boolean attribution) {
        ToLongFunction<Contender> median = contender -> Math.round(
                measurement.of(count, contender, attribution).unitsPerSecond().median());
        return fromTo(median.applyAsLong(Contender.STOCK), median.applyAsLong(Contender.THREADCLOCK), Figure::count);
    }

    private static long contradictions(LawBreaches breaches) {
        return breaches.outOfRange() + breaches.backward() + breaches.unitsUserAboveCpu();
    }

    private static String sum(PhaseResult phase) {
        return Figure.seconds(phase.userNs()) + " + " + Figure.seconds(phase.cpuNs() - phase.userNs()) + " = "
                + Figure.seconds(phase.cpuNs());
    }

    private static String place(JdkMeasurement measurement, int count) {
        return measurement.jdk().version() + ", " + count;
    }

    private String timers() {
        List<String> medians = new ArrayList<>();
        forEach((measurement, count) ->
                medians.add(Figure.ns(measurement.timerNs(count).getValueAtPercentile(LatencyTable.MEDIAN))));
        return String.join(", ", medians.stream().distinct().toList());
    }

    private void forEach(LatencyTable.Place action) {
        LatencyTable.forEach(measurements, workers, action);
    }

    private static String both(PhaseResult stock, PhaseResult threadclock, Function<PhaseResult, String> cell) {
        return cell.apply(stock) + " → " + cell.apply(threadclock);
    }

    private static String fromTo(long stock, long threadclock, LongFunction<String> figure) {
        return figure.apply(stock) + " → " + figure.apply(threadclock);
    }

    private static String faster(long stockNs, long threadclockNs) {
        return fromTo(stockNs, threadclockNs, Figure::ns) + " (" + LatencyTable.ratio(stockNs, threadclockNs) + ")";
    }
}
