// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** What it costs to ask for another thread's time by its id. */
final class ByIdTable {
    private static final String USER_TIME = "user time, ";
    private static final String CPU_TIME = "CPU time, ";

    private final Results results;

    ByIdTable(Results results) {
        this.results = results;
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
        for (String jdk : results.each(Benchmarks.BY_ID, subject -> subject.jdk())) {
            for (String neighbour : neighbours(results)) {
                for (String loading : results.each(Benchmarks.BY_ID, subject -> subject.contender())) {
                    addRow(table, jdk, neighbour, loading);
                }
            }
        }
        return new Section(
                "Another thread by its id, through ThreadMXBean, plain loop: median (least–most)", table, List.of());
    }

    /** What the other thread may be doing. */
    static List<String> neighbours(Results results) {
        return results.each(Benchmarks.BY_ID, subject -> subject.quantity()).stream()
                .filter(quantity -> quantity.startsWith(USER_TIME))
                .map(quantity -> quantity.substring(USER_TIME.length()))
                .toList();
    }

    private void addRow(TextTable table, String jdk, String neighbour, String loading) {
        Contest user = new Contest(results, Benchmarks.BY_ID, jdk, USER_TIME + neighbour);
        Contest cpu = new Contest(results, Benchmarks.BY_ID, jdk, CPU_TIME + neighbour);
        table.row(
                jdk,
                neighbour,
                loading,
                Cells.ns(user, loading),
                Cells.gain(user, loading),
                Cells.ns(cpu, loading),
                Cells.gain(cpu, loading));
    }
}
