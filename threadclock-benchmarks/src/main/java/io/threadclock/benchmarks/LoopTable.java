// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;

/** Plain loops on one thread: each clock's ns, and how many times faster than stock. */
final class LoopTable {
    private final List<LoopMeasurement> measurements;

    LoopTable(List<LoopMeasurement> measurements) {
        this.measurements = measurements;
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("JDK"),
                TextTable.left("clock"),
                TextTable.right("user time, ns"),
                TextTable.right("stock ÷ this"),
                TextTable.right("CPU time, ns"),
                TextTable.right("stock ÷ this"));
        measurements.forEach(measurement -> addRows(table, measurement));
        return new Section(
                "One call through ThreadMXBean, one thread, plain loop: median (least–most)", table, notes());
    }

    private static void addRows(TextTable table, LoopMeasurement measurement) {
        for (ClockChoice clock : ClockChoice.values()) {
            if (measurement.has(clock)) {
                table.row(
                        measurement.jdk().version(),
                        title(clock, measurement),
                        Figure.spread(measurement.ns(clock, Call.USER_TIME), Figure::ns),
                        gain(measurement, clock, Call.USER_TIME),
                        Figure.spread(measurement.ns(clock, Call.CPU_TIME), Figure::ns),
                        gain(measurement, clock, Call.CPU_TIME));
            }
        }
    }

    private static String title(ClockChoice clock, LoopMeasurement measurement) {
        return clock == ClockChoice.AUTO ? clock + " (" + measurement.source() + ")" : clock.toString();
    }

    private static String gain(LoopMeasurement measurement, ClockChoice clock, Call call) {
        return clock == ClockChoice.STOCK ? "" : Figure.spread(measurement.gain(clock, call), Figure::ratio);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (LoopMeasurement measurement : measurements) {
            String jdk = "JDK " + measurement.jdk().version();
            notes.add(jdk + ", in the same loop: a static Java method that does nothing " + ns(measurement, Call.EMPTY)
                    + ", System.nanoTime() " + ns(measurement, Call.NANO_TIME) + "; " + measurement.rounds()
                    + " rounds.");
            measurement.agentLines().forEach(line -> notes.add(jdk + ": " + line));
        }
        return notes;
    }

    private static String ns(LoopMeasurement measurement, Call call) {
        return Figure.spread(measurement.ns(ClockChoice.STOCK, call), Figure::ns) + " ns";
    }
}
