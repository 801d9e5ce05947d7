// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.program.TimesOfMany;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** What it costs to ask for many threads' times in one call, for each of them. */
final class ArrayTable {
    static final String TITLE = "Many threads in one call: median (least–most)";

    private final Results results;

    ArrayTable(Results results) {
        this.results = results;
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
        for (String jdk : results.each(Benchmarks.ARRAY, subject -> subject.jdk())) {
            for (double threads : results.each(Benchmarks.ARRAY, subject -> subject.parameter())) {
                for (String loading : results.each(Benchmarks.ARRAY, subject -> subject.contender())) {
                    addRow(table, jdk, threads, loading);
                }
            }
        }
        String idle = "Before each call one thread in " + TimesOfMany.ONE_RUNS_IN
                + " runs a little, at least one; the others are parked. Only the calls are timed.";
        return new Section(TITLE, table, List.of(idle));
    }

    private void addRow(TextTable table, String jdk, double threads, String loading) {
        Contest user = new Contest(results, Benchmarks.ARRAY, jdk, "user time", threads);
        Contest cpu = new Contest(results, Benchmarks.ARRAY, jdk, "CPU time", threads);
        table.row(
                jdk,
                Figure.count((long) threads),
                loading,
                Cells.ns(user, loading),
                Cells.gain(user, loading),
                Cells.ns(cpu, loading),
                Cells.gain(cpu, loading));
    }
}
