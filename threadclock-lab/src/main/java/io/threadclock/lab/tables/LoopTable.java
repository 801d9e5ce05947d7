// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.List;

/** Plain loops on one thread: each clock's ns, and how many times faster than stock. */
final class LoopTable {
    private final Results results;

    LoopTable(Results results) {
        this.results = results;
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("JDK"),
                TextTable.left("clock"),
                TextTable.right("user time, ns"),
                TextTable.right("stock ÷ this"),
                TextTable.right("CPU time, ns"),
                TextTable.right("stock ÷ this"));
        List<String> jdks = results.each(Benchmarks.LOOP, subject -> subject.jdk());
        jdks.forEach(jdk -> addRows(table, jdk));
        return new Section(
                "One call through ThreadMXBean, one thread, plain loop: median (least–most)",
                table,
                jdks.stream().map(this::note).toList());
    }

    private void addRows(TextTable table, String jdk) {
        Contest user = contest(jdk, "user time");
        Contest cpu = contest(jdk, "CPU time");
        for (String clock : results.each(Benchmarks.LOOP, subject -> subject.contender())) {
            if (user.has(clock)) {
                table.row(
                        jdk,
                        title(clock, jdk),
                        Cells.ns(user, clock),
                        Cells.gain(user, clock),
                        Cells.ns(cpu, clock),
                        Cells.gain(cpu, clock));
            }
        }
    }

    private String title(String clock, String jdk) {
        return results.origin().runtimes().stream()
                .filter(runtime -> clock.equals(Contest.THREADCLOCK) && runtime.version().equals(jdk))
                .findFirst()
                .map(Origin.Runtime::source)
                .map(source -> clock + " (" + source + ")")
                .orElse(clock);
    }

    private String note(String jdk) {
        Contest baselines = contest(jdk, "call");
        int rounds = contest(jdk, "user time").find(Contest.STOCK).map(Series::rounds).orElse(List.of()).size();
        return "JDK " + jdk + ", in the same loop: a static Java method that does nothing "
                + Cells.ns(baselines, "empty") + " ns, System.nanoTime() " + Cells.ns(baselines, "nanoTime") + " ns; "
                + rounds + " rounds.";
    }

    private Contest contest(String jdk, String quantity) {
        return new Contest(results, Benchmarks.LOOP, jdk, quantity);
    }
}
