// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Neighbour;
import io.threadclock.benchmarks.program.Quantity;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** What it costs to ask for another thread's time by its id. */
final class ByIdTable {
    private final List<AllThreadsMeasurement> measurements;

    ByIdTable(List<AllThreadsMeasurement> measurements) {
        this.measurements = measurements;
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("JDK"),
                TextTable.left("that thread is"),
                TextTable.left("clock"),
                TextTable.right("user time, ns"),
                TextTable.right("stock ÷ this"),
                TextTable.right("CPU time, ns"),
                TextTable.right("stock ÷ this"));
        for (AllThreadsMeasurement measurement : measurements) {
            for (Neighbour neighbour : Neighbour.values()) {
                for (Loading loading : Loading.values()) {
                    addRow(table, measurement, neighbour, loading);
                }
            }
        }
        return new Section(
                "Another thread by its id, through ThreadMXBean, plain loop: median (least–most)", table, List.of());
    }

    private static void addRow(
            TextTable table, AllThreadsMeasurement measurement, Neighbour neighbour, Loading loading) {
        NeighbourReading user = new NeighbourReading(neighbour, Quantity.USER_TIME);
        NeighbourReading cpu = new NeighbourReading(neighbour, Quantity.CPU_TIME);
        table.row(
                measurement.jdk().version(),
                neighbour.toString(),
                loading.toString(),
                Figure.spread(measurement.byId().ns(user, loading), Figure::ns),
                gain(measurement.byId(), user, loading),
                Figure.spread(measurement.byId().ns(cpu, loading), Figure::ns),
                gain(measurement.byId(), cpu, loading));
    }

    static <K> String gain(Rounds<K> rounds, K measured, Loading loading) {
        return loading == Loading.STOCK ? "" : Figure.spread(rounds.gain(measured, loading), Figure::ratio);
    }
}
