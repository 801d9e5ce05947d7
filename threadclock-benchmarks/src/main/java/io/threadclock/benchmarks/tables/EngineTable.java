// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.tables;

import io.threadclock.benchmarks.results.Contest;
import io.threadclock.benchmarks.results.Results;
import io.threadclock.benchmarks.results.Subject;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** A database's throughput, and what of it attribution takes. */
final class EngineTable {
    private final Results results;

    EngineTable(Results results) {
        this.results = results;
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("JDK"),
                TextTable.right("threads"),
                TextTable.left("attribution"),
                TextTable.right("units of work/s"),
                TextTable.right("costs of throughput"));
        for (Contest contest : Attribution.contests(results)) {
            results.each(contest.benchmark(), Subject::contender).stream()
                    .filter(contest::has)
                    .forEach(contender -> addRow(table, contest, contender));
        }
        String note = "The demo's QuestDB, each unit of work attributed to whoever asked for it. Shares are of one "
                + "round: 1 − throughput ÷ throughput with attribution off.";
        return new Section("A database that attributes its work: median (least–most)", table, List.of(note));
    }

    private static void addRow(TextTable table, Contest contest, String contender) {
        boolean comparable = !contender.equals(Attribution.OFF) && contest.has(Attribution.OFF);
        table.row(
                contest.jdk(),
                contest.parameter() == null ? "" : Figure.count(contest.parameter().longValue()),
                contender,
                Cells.ns(contest, contender),
                comparable ? Figure.spread(Attribution.share(contest, contender), Figure::percent) : "");
    }
}
