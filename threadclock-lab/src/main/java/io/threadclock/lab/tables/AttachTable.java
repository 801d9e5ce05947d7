// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** How long attaching takes. */
final class AttachTable {
    private final Results results;

    AttachTable(Results results) {
        this.results = results;
    }

    Section section() {
        double most = mostThreads(results);
        String many = Figure.count((long) most) + " threads";
        TextTable table = new TextTable(
                TextTable.left("JDK"),
                TextTable.right("few threads, ms"),
                TextTable.right(many + ", ms"),
                TextTable.right(many + ", by the command, ms"));
        for (String jdk : results.each(Benchmarks.ATTACH, subject -> subject.jdk())) {
            table.row(
                    jdk,
                    Cells.ns(contest(results, jdk, 0), Contest.ATTACHED),
                    Cells.ns(contest(results, jdk, most), Contest.ATTACHED),
                    Cells.ns(contest(results, jdk, most), "attach command"));
        }
        String scope = "Each time to a new JVM that has not used ThreadMXBean. The first two from when the JVM had "
                + "accepted the client; the command counts that too.";
        return new Section("Attaching: median (least–most)", table, List.of(scope));
    }

    static Contest contest(Results results, String jdk, double threads) {
        return new Contest(results, Benchmarks.ATTACH, jdk, "attaching", threads);
    }

    static double mostThreads(Results results) {
        return results.each(Benchmarks.ATTACH, subject -> subject.parameter()).stream()
                .mapToDouble(threads -> threads)
                .max()
                .orElse(0);
    }
}
