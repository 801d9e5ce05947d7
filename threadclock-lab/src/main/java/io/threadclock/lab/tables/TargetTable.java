// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;

/** The figures that were set before, each beside what this run reached. Computed, never typed. */
final class TargetTable {
    /** From the next version on the JDK itself no longer parses /proc, which the ratios are about. */
    private static final int NEWEST_THAT_PARSES_PROC = 25;

    private final Results results;

    TargetTable(Results results) {
        this.results = results;
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("quantity"),
                TextTable.right("to reach"),
                TextTable.right("reached here"),
                TextTable.right("the most possible here"),
                TextTable.left("reached"));
        for (Target target : targets()) {
            table.row(target.quantity(), target.wanted(), target.reached(), target.bound(), target.verdict());
        }
        NativeReads inC = new NativeReads(results);
        String bound = "The most possible here is stock at its fastest ÷ what a clock has to do at the least, as "
                + "measured in C: a look at the counter (" + Figure.ns(inC.counterNs().least())
                + " ns), with source=clock a system call (" + Figure.ns(inC.systemCallNs())
                + " ns), on many threads times the threads to a CPU, of another thread the system call that reads its "
                + "clock (" + Figure.ns(inC.threadAsleepNs()) + " ns asleep, " + Figure.ns(inC.threadBusyNs())
                + " ns busy). No clock of that kind gains more on this machine.";
        String origin = "The figures to reach come from a machine where stock user time took 8,700 ns, CPU time 420 "
                + "ns, and the counter 9.3 ns.";
        return new Section("Figures to reach", table, List.of(bound, origin));
    }

    List<Target> targets() {
        OwnThreadTargets own = new OwnThreadTargets(results);
        List<Target> targets = new ArrayList<>();
        targets.addAll(own.ofOneThread());
        targets.addAll(own.ofManyThreads());
        results.each(Benchmarks.BY_ID, subject -> subject.jdk())
                .forEach(jdk -> targets.addAll(new AllThreadsTargets(results, jdk).targets()));
        targets.addAll(own.inC());
        targets.addAll(new MemoryTargets(results).targets());
        targets.addAll(new LibraryTargets(results).targets());
        targets.addAll(new EngineTargets(results).targets());
        return targets;
    }

    static boolean parsesProc(String jdk) {
        return Jdk.featureOf(jdk) <= NEWEST_THAT_PARSES_PROC;
    }

    /** Those on which the benchmark ran. */
    static List<String> jdksThatParseProc(Results results, String benchmark) {
        return results.each(benchmark, subject -> subject.jdk()).stream()
                .filter(TargetTable::parsesProc)
                .toList();
    }
}
