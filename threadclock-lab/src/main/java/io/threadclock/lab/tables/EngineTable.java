// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.harness.Section;
import io.threadclock.harness.Spread;
import io.threadclock.harness.TextTable;
import io.threadclock.lab.question.EngineCost;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Subject;
import java.util.List;
import java.util.Optional;

/** A database's throughput, and what of it attribution takes. */
final class EngineTable {
    private final Results results;

    EngineTable(Results results) {
        this.results = results;
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("JDK"),
                TextTable.left("attribution"),
                TextTable.right("units of work/s: median (least–most)"),
                TextTable.right("costs of throughput (95 %)"),
                TextTable.right("of CPU time (95 %)"));
        for (Attribution attribution : Attribution.all(results)) {
            for (String contender : results.each(Benchmarks.ENGINE_THROUGHPUT, Subject::contender)) {
                addRow(table, attribution, contender);
            }
        }
        String note = "QuestDB, one thread, each unit of work (about 0.1 ms) attributed to whoever asked "
                + "for it: user and CPU time before and after. Slices of a millisecond in turn, so the costs are "
                + "known better than the throughput; in brackets their interval of a confidence of 95 %. The agent is "
                + "attached for a second half, with slices of its own with attribution off.";
        return new Section("A database that attributes its work", table, List.of(note));
    }

    private static void addRow(TextTable table, Attribution attribution, String contender) {
        Contest throughput = attribution.throughput();
        if (throughput.has(contender)) {
            table.row(
                    attribution.jdk(),
                    contender,
                    // Of the second half: no figure of it can be compared with those of the first.
                    contender.equals(EngineCost.AGENT) ? "" : Cells.ns(throughput, contender),
                    text(attribution.ofThroughput(contender)),
                    text(attribution.ofCpuTime(contender)));
        }
    }

    private static String text(Optional<Spread> share) {
        return share.map(Attribution::text).orElse("");
    }
}
