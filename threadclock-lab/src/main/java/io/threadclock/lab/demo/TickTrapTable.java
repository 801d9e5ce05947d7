// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static io.threadclock.harness.TextTable.right;

import io.threadclock.lab.demo.message.TrapPhase;
import io.threadclock.lab.demo.program.TickTrapProgram;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The user time charged to bursts of pure user work, by the phase of the tick at which they began. */
final class TickTrapTable {
    private static final Comparator<TrapPhase> BY_SHARE = Comparator.comparingDouble(TickTrapTable::userShare);
    /** On a machine too busy for any burst to be on time. */
    private static final String NOT_MEASURED = "–";

    private final TickTrapMeasurement measurement;

    TickTrapTable(TickTrapMeasurement measurement) {
        this.measurement = measurement;
    }

    /** One row for each phase of the tick. */
    Section byPhase() {
        List<TextTable.Column> columns = new ArrayList<>(List.of(right("phase of the tick, µs"), right("bursts")));
        for (UserTimeWay way : UserTimeWay.values()) {
            columns.add(right(way.title() + ": user / CPU, ms"));
            columns.add(right("share"));
        }
        TextTable table = new TextTable(columns.toArray(TextTable.Column[]::new));
        int phases = measurement.byWay().get(UserTimeWay.THREADCLOCK).size();
        for (int phase = 0; phase < phases; phase++) {
            table.row(row(phase));
        }
        return new Section(title(), table, notes());
    }

    /** The least and the greatest share that any phase of the tick gave; all of the work is user work. */
    String inWords() {
        String ways = Stream.of(UserTimeWay.values())
                .map(way -> way.title() + " " + extremes(measurement.byWay().get(way)))
                .collect(Collectors.joining("; "));
        return "User time charged to bursts of " + TickTrapProgram.BURST_NS / 1000 + " µs of pure user work, as a share of"
                + " their CPU time, at the worst phases of the tick: " + ways + ". The right share is 100 %.";
    }

    private static String extremes(List<TrapPhase> phases) {
        List<TrapPhase> onTime =
                phases.stream().filter(phase -> phase.bursts() > 0).sorted(BY_SHARE).toList();
        return onTime.isEmpty()
                ? "not measured"
                : share(onTime.get(0)) + " to " + share(onTime.get(onTime.size() - 1));
    }

    private String title() {
        return "The tick trap: bursts of " + TickTrapProgram.BURST_NS / 1000 + " µs of pure user work at "
                + DemoPlan.TICK_PHASES + " phases of the " + Figure.ms(measurement.tickNs()) + " ms tick";
    }

    private List<String> notes() {
        return List.of(
                "On " + measurement.jdk() + ", by a thread that has worked in the kernel for "
                        + Figure.ms(TickTrapProgram.PAST_NS) + " ms before. Each burst reads CPU and user time before and after; these are the"
                        + " sums of the differences. The right share is 100 %.");
    }

    private String[] row(int phase) {
        long offsetNs =
                measurement.byWay().get(UserTimeWay.THREADCLOCK).get(phase).offsetNs();
        int leastBursts = measurement.byWay().values().stream()
                .mapToInt(phases -> phases.get(phase).bursts())
                .min()
                .orElse(0);
        List<String> cells = new ArrayList<>(List.of(Figure.count(offsetNs / 1000), Figure.count(leastBursts)));
        for (UserTimeWay way : UserTimeWay.values()) {
            TrapPhase charged = measurement.byWay().get(way).get(phase);
            cells.add(userOfCpu(charged));
            cells.add(share(charged));
        }
        return cells.toArray(String[]::new);
    }

    private static String userOfCpu(TrapPhase charged) {
        return Figure.ms(charged.userNs()) + " / " + Figure.ms(charged.cpuNs());
    }

    private static String share(TrapPhase charged) {
        return charged.bursts() == 0 ? NOT_MEASURED : Math.round(100 * userShare(charged)) + " %";
    }

    private static double userShare(TrapPhase charged) {
        return charged.bursts() == 0 ? 0 : (double) charged.userNs() / charged.cpuNs();
    }
}
