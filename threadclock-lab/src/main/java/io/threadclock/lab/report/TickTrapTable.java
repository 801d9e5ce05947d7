// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;

import io.threadclock.lab.program.TickTrapProgram;
import io.threadclock.lab.question.TickTrap;
import io.threadclock.lab.question.TickTrap.Way;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The user time charged to bursts of pure user work, by the phase of the tick at which they began. */
final class TickTrapTable {
    /** On a machine too busy for any burst to be on time. */
    private static final String NOT_MEASURED = "–";

    /** The shares of fewer bursts, some 3 ms of work, are those of a few ticks. */
    private static final int ENOUGH_BURSTS = 10;

    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_US = 1e3;

    private final Results results;
    private final String jdk;

    /** @param results have the tick trap of one JDK */
    TickTrapTable(Results results) {
        this.results = results;
        this.jdk = results.each(Benchmarks.TICK_TRAP, Subject::jdk).get(0);
    }

    /** The charges of one way to read, at one phase of the tick. */
    private record Cell(double bursts, double userNs, double cpuNs) {
        double share() {
            return bursts == 0 ? 0 : userNs / cpuNs;
        }

        String shareText() {
            return bursts == 0 ? NOT_MEASURED : Math.round(100 * share()) + " %";
        }
    }

    /** One row for each phase of the tick. */
    Table byPhase() {
        List<Table.Column> columns = new ArrayList<>(List.of(number("phase of the tick, µs"), number("bursts")));
        for (Way way : Way.values()) {
            columns.add(number(way + ": user / CPU, ms"));
            columns.add(number("share"));
        }
        Table table = new Table(title(), columns);
        phases().forEach(offsetNs -> table.row(row(offsetNs)));
        long few = phases().stream()
                .filter(offsetNs -> leastBursts(offsetNs) < ENOUGH_BURSTS)
                .count();
        if (few > 0) {
            table.note("At " + few + " of " + phases().size() + " phases fewer than " + ENOUGH_BURSTS
                    + " bursts began on time, because other programs had the CPUs. Their shares say little; measure again"
                    + " when the machine is idle.");
        }
        return table.note("On JDK " + jdk + ", by a thread that has worked in the kernel for "
                + ms(TickTrapProgram.PAST_NS) + " ms before. Each burst reads CPU and user time before and after; "
                + "these are the sums of the differences. The right share is 100 %.");
    }

    /** The least and the greatest share that any phase of the tick gave; all of the work is user work. */
    String inWords() {
        String ways = Arrays.stream(Way.values())
                .map(way -> "- " + way + ": " + extremes(way) + "\n")
                .collect(Collectors.joining());
        return "Bursts of " + TickTrapProgram.BURST_NS / 1000
                + " µs of pure user work, by the phase of the tick at which they begin, are charged this share of their CPU\ntime as user time (right: 100 %):\n\n"
                + ways;
    }

    private String extremes(Way way) {
        List<Cell> onTime = phases().stream()
                .map(offsetNs -> cell(way, offsetNs))
                .filter(cell -> cell.bursts() > 0)
                .sorted(Comparator.comparingDouble(Cell::share))
                .toList();
        return onTime.isEmpty()
                ? "not measured"
                : onTime.get(0).shareText() + " to "
                        + onTime.get(onTime.size() - 1).shareText();
    }

    private String title() {
        Long hz = results.origin().ticksPerSecond();
        return "The tick trap: bursts of " + TickTrapProgram.BURST_NS / 1000 + " µs of pure user work at "
                + TickTrap.PHASES + " phases of the tick" + (hz == null ? "" : " of " + ms(1e9 / hz) + " ms");
    }

    private List<Double> phases() {
        return results.each(Benchmarks.TICK_TRAP, Subject::parameter);
    }

    private List<String> row(double offsetNs) {
        List<Cell> cells =
                Arrays.stream(Way.values()).map(way -> cell(way, offsetNs)).toList();
        List<String> row = new ArrayList<>(
                List.of(Figure.count((long) (offsetNs / NS_PER_US)), Figure.count(leastBursts(offsetNs))));
        cells.forEach(cell -> row.addAll(List.of(ms(cell.userNs()) + " / " + ms(cell.cpuNs()), cell.shareText())));
        return row;
    }

    private long leastBursts(double offsetNs) {
        return (long) Arrays.stream(Way.values())
                .mapToDouble(way -> cell(way, offsetNs).bursts())
                .min()
                .orElse(0);
    }

    private Cell cell(Way way, double offsetNs) {
        return new Cell(
                measured(way, offsetNs, TickTrap.BURSTS),
                measured(way, offsetNs, TickTrap.USER_TIME),
                measured(way, offsetNs, TickTrap.CPU_TIME));
    }

    private double measured(Way way, double offsetNs, String quantity) {
        return new Contest(results, Benchmarks.TICK_TRAP, jdk, quantity, offsetNs)
                .spread(way.toString())
                .median();
    }

    private static String ms(double ns) {
        return String.format(Locale.ROOT, "%.1f", ns / NS_PER_MS);
    }
}
