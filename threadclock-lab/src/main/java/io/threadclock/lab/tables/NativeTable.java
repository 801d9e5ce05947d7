// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.Spread;
import io.threadclock.harness.TextTable;
import java.util.List;

/** Each read in C, and how many times a bare look at the counter it takes. */
final class NativeTable {
    private final NativeReads reads;

    NativeTable(Results results) {
        this.reads = new NativeReads(results);
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("read"),
                TextTable.right("ns: median"),
                TextTable.right("least"),
                TextTable.right("most"),
                TextTable.right("× bare counter"));
        reads.all().forEach(read -> addRow(table, read));
        String note = reads.counter().rounds().size()
                + " rounds, one thread; in each round every contender runs for 4 ms in turn.";
        String others = "Asleep and busy: another thread of the process, read by its tid.";
        return new Section("One read in C", table, List.of(note, others));
    }

    private void addRow(TextTable table, Series read) {
        Spread ns = read.spread();
        table.row(
                read.subject().contender(),
                Figure.ns(ns.median()),
                Figure.ns(ns.least()),
                Figure.ns(ns.greatest()),
                Figure.ratio(read.ratioTo(reads.counter()).median()));
    }
}
