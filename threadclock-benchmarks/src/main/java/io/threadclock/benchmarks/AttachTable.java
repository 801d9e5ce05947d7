// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** How long attaching takes. */
final class AttachTable {
    private final List<AllThreadsMeasurement> measurements;

    AttachTable(List<AllThreadsMeasurement> measurements) {
        this.measurements = measurements;
    }

    Section section() {
        String many = Figure.count(AttachRun.MANY_THREADS) + " threads";
        TextTable table = new TextTable(
                TextTable.left("JDK"),
                TextTable.right("few threads, ms"),
                TextTable.right(many + ", ms"),
                TextTable.right(many + ", by the command, ms"));
        measurements.forEach(measurement -> table.row(
                measurement.jdk().version(),
                Figure.spread(measurement.attach().toFewMs(), Figure::ns),
                Figure.spread(measurement.attach().toManyMs(), Figure::ns),
                Figure.spread(measurement.attach().byCommandMs(), Figure::ns)));
        String scope = "Each time to a new JVM that has not used ThreadMXBean. The first two from when the JVM had "
                + "accepted the client; the command counts that too.";
        return new Section("Attaching: median (least–most)", table, List.of(scope));
    }
}
