// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** What it costs virtual threads that they are accounted. */
final class VirtualTable {
    private final Results results;

    VirtualTable(Results results) {
        this.results = results;
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("JDK"),
                TextTable.left("ns"),
                TextTable.right("stock"),
                TextTable.right("accounted"),
                TextTable.right("÷ stock"));
        results.each(Benchmarks.VIRTUAL, subject -> new Contest(
                        results, Benchmarks.VIRTUAL, subject.jdk(), subject.quantity()))
                .forEach(contest -> table.row(
                        contest.jdk(),
                        contest.quantity() + ", " + contest.of(Contest.STOCK).rounds().size() + " rounds",
                        Cells.ns(contest, Contest.STOCK),
                        Cells.ns(contest, Contest.ACCOUNTED),
                        Cells.timesStock(contest, Contest.ACCOUNTED)));
        String notes = "In one JVM with one carrier, in turn, ratios within a round. Readings are beside those of a platform "
                + "thread. Mounted wall time counts what a carrier waits for a CPU, too: a unit of work has cost what the "
                + "account says (docs/virtual-threads.md).";
        return new Section("Virtual threads that are accounted: median (least–most)", table, List.of(notes));
    }
}
