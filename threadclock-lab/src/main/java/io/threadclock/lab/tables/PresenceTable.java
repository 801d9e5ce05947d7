// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** What the agent costs a program that does not ask it anything. */
final class PresenceTable {
    private final Results results;

    PresenceTable(Results results) {
        this.results = results;
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
        results.each(Benchmarks.LIFECYCLE, subject -> new Contest(
                        results, Benchmarks.LIFECYCLE, subject.jdk(), subject.quantity()))
                .forEach(contest -> addRow(table, contest));
        String rounds = "Rounds in turn, ratios within a round. Threads are started and joined one after the other, "
                + "and end at once. On JDK 21 and newer anything loaded by -agentpath slows virtual threads "
                + "(docs/agent.md).";
        return new Section("With the agent, but without asking it: median (least–most)", table, List.of(rounds));
    }

    private static void addRow(TextTable table, Contest contest) {
        table.row(
                contest.jdk(),
                contest.quantity() + ", " + contest.of(Contest.STOCK).rounds().size() + " rounds",
                Cells.ns(contest, Contest.STOCK),
                Cells.ns(contest, Contest.AGENTPATH),
                Cells.timesStock(contest, Contest.AGENTPATH),
                Cells.ns(contest, Contest.ATTACHED),
                Cells.timesStock(contest, Contest.ATTACHED));
    }
}
