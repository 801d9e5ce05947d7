// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** What the agent costs a program that does not ask it anything. */
final class PresenceTable {
    private final List<AllThreadsMeasurement> measurements;

    PresenceTable(List<AllThreadsMeasurement> measurements) {
        this.measurements = measurements;
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("JDK"),
                TextTable.left("ns"),
                TextTable.right("stock"),
                TextTable.right("-agentpath"),
                TextTable.right("÷ stock"),
                TextTable.right("attached"),
                TextTable.right("÷ stock"));
        for (AllThreadsMeasurement measurement : measurements) {
            measurement.lifecycles().measured().forEach(lifecycle -> addRow(table, measurement, lifecycle));
        }
        String rounds = "Rounds in turn, ratios within a round. Threads are started and joined one after the other, and "
                + "end at once. On JDK 21 and newer anything loaded by -agentpath "
                + "slows virtual threads (docs/agent.md).";
        return new Section("With the agent, but without asking it: median (least–most)", table, List.of(rounds));
    }

    private static void addRow(TextTable table, AllThreadsMeasurement measurement, Lifecycle lifecycle) {
        Rounds<Lifecycle> rounds = measurement.lifecycles();
        table.row(
                measurement.jdk().version(),
                lifecycle + ", " + rounds.count(lifecycle) + " rounds",
                Figure.spread(rounds.ns(lifecycle, Loading.STOCK), Figure::ns),
                Figure.spread(rounds.ns(lifecycle, Loading.AGENTPATH), Figure::ns),
                Figure.spread(rounds.timesStock(lifecycle, Loading.AGENTPATH), Figure::ratio),
                Figure.spread(rounds.ns(lifecycle, Loading.ATTACHED), Figure::ns),
                Figure.spread(rounds.timesStock(lifecycle, Loading.ATTACHED), Figure::ratio));
    }
}
