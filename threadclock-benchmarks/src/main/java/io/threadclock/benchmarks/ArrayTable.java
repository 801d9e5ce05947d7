// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Quantity;
import io.threadclock.benchmarks.program.ThreadArrays;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** What it costs to ask for many threads' times in one call, for each of them. */
final class ArrayTable {
    private final List<AllThreadsMeasurement> measurements;

    ArrayTable(List<AllThreadsMeasurement> measurements) {
        this.measurements = measurements;
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("JDK"),
                TextTable.right("threads"),
                TextTable.left("clock"),
                TextTable.right("user time, ns a thread"),
                TextTable.right("stock ÷ this"),
                TextTable.right("CPU time, ns a thread"),
                TextTable.right("stock ÷ this"));
        for (AllThreadsMeasurement measurement : measurements) {
            for (int threads : AllThreadsRun.ARRAY_SIZES) {
                for (Loading loading : Loading.values()) {
                    addRow(table, measurement, threads, loading);
                }
            }
        }
        String idle = "Before each call one thread in " + ThreadArrays.ONE_RUNS_IN
                + " runs a little, at least one; the others are parked. Only the calls are timed.";
        return new Section("Many threads in one call: median (least–most)", table, List.of(idle));
    }

    private static void addRow(TextTable table, AllThreadsMeasurement measurement, int threads, Loading loading) {
        ArrayReading user = new ArrayReading(threads, Quantity.USER_TIME);
        ArrayReading cpu = new ArrayReading(threads, Quantity.CPU_TIME);
        table.row(
                measurement.jdk().version(),
                Figure.count(threads),
                loading.toString(),
                Figure.spread(measurement.arrays().ns(user, loading), Figure::ns),
                ByIdTable.gain(measurement.arrays(), user, loading),
                Figure.spread(measurement.arrays().ns(cpu, loading), Figure::ns),
                ByIdTable.gain(measurement.arrays(), cpu, loading));
    }
}
