// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static io.threadclock.harness.TextTable.left;
import static io.threadclock.harness.TextTable.right;

import io.threadclock.lab.demo.message.LawBreaches;
import io.threadclock.lab.demo.message.PhaseResult;
import io.threadclock.harness.TextTable;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/** The program's table in few rows, each cell from stock to threadclock: for a README. */
final class SummaryTable {
    private final List<JdkMeasurement> measurements;
    private final List<Integer> workers;

    SummaryTable(List<JdkMeasurement> measurements, List<Integer> workers) {
        this.measurements = measurements;
        this.workers = workers;
    }

    /** What the calls do to the program, and whether they tell the truth. */
    Section section() {
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
            both(stock, threadclock, SummaryTable::sum),
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

    private void forEach(LatencyTable.Place action) {
        LatencyTable.forEach(measurements, workers, action);
    }

    private static String both(PhaseResult stock, PhaseResult threadclock, Function<PhaseResult, String> cell) {
        return cell.apply(stock) + " → " + cell.apply(threadclock);
    }

    private static String fromTo(long stock, long threadclock, LongFunction<String> figure) {
        return figure.apply(stock) + " → " + figure.apply(threadclock);
    }
}
