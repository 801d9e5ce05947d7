// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.Spread;
import io.threadclock.harness.TextTable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What reads cost in C. */
record NativeMeasurement(List<NativeCost> costs, int rounds) {
    static final String COUNTER = "bare counter";
    static final String RSEQ = "rseq:";
    static final String PERF = "perf:";
    static final String CLOCK = "clock:";

    private static final String ASLEEP = "asleep: SCHED clock id";
    private static final String BUSY = "busy: SCHED clock id";

    /** The row whose name begins so; empty where the kernel refused that source. */
    Optional<NativeCost> cost(String beginning) {
        return NativeCost.find(costs, beginning);
    }

    /** Ns of a bare look at the counter: what no clock that reads it can be faster than. */
    Spread counterNs() {
        return cost(COUNTER).orElseThrow().ns();
    }

    /** The least ns of a system call that reads the thread's CPU clock; no source that asks the kernel is faster. */
    double systemCallNs() {
        return Stream.of("CLOCK_THREAD_CPUTIME_ID", "SCHED clock id")
                .flatMap(row -> cost(row).stream())
                .mapToDouble(cost -> cost.ns().least())
                .min()
                .orElse(0);
    }

    /** The least ns of a system call that reads the CPU clock of another thread that is asleep. */
    double threadAsleepNs() {
        return cost(ASLEEP).orElseThrow().ns().least();
    }

    /** The same of one that runs meanwhile: the median, because the least is of a round in which it got no CPU. */
    double threadBusyNs() {
        return cost(BUSY).orElseThrow().ns().median();
    }

    Section section() {
        TextTable table = new TextTable(
                TextTable.left("read"),
                TextTable.right("ns: median"),
                TextTable.right("least"),
                TextTable.right("most"),
                TextTable.right("× bare counter"));
        for (NativeCost cost : costs) {
            table.row(
                    cost.name(),
                    Figure.ns(cost.ns().median()),
                    Figure.ns(cost.ns().least()),
                    Figure.ns(cost.ns().greatest()),
                    Figure.ratio(cost.timesCounter()));
        }
        String note = rounds + " rounds, one thread; in each round every contender runs for 4 ms in turn.";
        String others = "Asleep and busy: another thread of the process, read by its tid.";
        return new Section("One read in C", table, List.of(note, others));
    }
}
