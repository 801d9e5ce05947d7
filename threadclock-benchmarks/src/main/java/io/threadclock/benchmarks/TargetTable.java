// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Section;
import io.threadclock.harness.Spread;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The figures that were set before, each beside what this run reached. Computed, never typed. */
final class TargetTable {
    private static final double USER_GAIN = 700;
    private static final double CPU_GAIN = 35;
    private static final double SYSTEM_CALLS_GAIN = 25;
    private static final double MANY_THREADS_USER_GAIN = 300;
    private static final double TIMES_COUNTER = 1.2;
    private static final long PROCESS_BYTES = 64 * 1024;
    private static final double THREAD_BYTES = 256;
    /** From the next version on the JDK itself no longer parses /proc, which the ratios are about. */
    static final int NEWEST_THAT_PARSES_PROC = 25;

    private final NativeMeasurement inC;
    private final List<LoopMeasurement> loops;
    private final List<LatencyMeasurement> latencies;
    private final List<AllThreadsMeasurement> allThreads;
    private final MemoryMeasurement memory;
    private final int cpus;

    TargetTable(
            NativeMeasurement inC,
            List<LoopMeasurement> loops,
            List<LatencyMeasurement> latencies,
            List<AllThreadsMeasurement> allThreads,
            MemoryMeasurement memory,
            int cpus) {
        this.inC = inC;
        this.loops = loops;
        this.latencies = latencies;
        this.allThreads = allThreads;
        this.memory = memory;
        this.cpus = cpus;
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
        List<Target> targets = new ArrayList<>();
        for (LoopMeasurement loop : loops) {
            if (loop.jdk().feature() <= NEWEST_THAT_PARSES_PROC) {
                targets.add(gain(loop, ClockChoice.AUTO, Call.USER_TIME, "user time", USER_GAIN));
                targets.add(gain(loop, ClockChoice.AUTO, Call.CPU_TIME, "CPU time", CPU_GAIN));
                targets.add(
                        gain(loop, ClockChoice.CLOCK, Call.USER_TIME, "user time, source=clock", SYSTEM_CALLS_GAIN));
            }
        }
        latencies.stream()
                .filter(latency -> latency.jdk().feature() <= NEWEST_THAT_PARSES_PROC)
                .forEach(latency -> targets.addAll(manyThreads(latency)));
        allThreads.forEach(measurement -> targets.addAll(new AllThreadsTargets(inC, measurement).targets()));
        targets.add(timesCounter("rseq", NativeMeasurement.RSEQ));
        targets.add(timesCounter("perf", NativeMeasurement.PERF));
        targets.addAll(memory());
        return targets;
    }

    private Target gain(LoopMeasurement loop, ClockChoice clock, Call call, String name, double wanted) {
        String quantity = "JDK " + loop.jdk().version() + ": " + name + ", stock ÷ this";
        String atLeast = "≥ " + Figure.ratio(wanted);
        if (!loop.has(clock)) {
            return new Target(quantity, atLeast, "", "", Target.NOT_MEASURED);
        }
        Spread gain = loop.gain(clock, call);
        double floorNs = clock == ClockChoice.CLOCK ? inC.systemCallNs() : inC.counterNs().least();
        double bound = loop.ns(ClockChoice.STOCK, call).least() / floorNs;
        return new Target(
                quantity,
                atLeast,
                Figure.spread(gain, Figure::ratio),
                Figure.ratio(bound),
                Target.atLeast(wanted, gain.median(), bound));
    }

    private List<Target> manyThreads(LatencyMeasurement latency) {
        String quantity =
                "JDK " + latency.jdk().version() + ": user time on " + latency.threads() + " threads, stock ÷ this";
        Spread gain = latency.gainAtMean(Call.USER_TIME);
        Spread withTimer = latency.gainAtMeanWithTimer(Call.USER_TIME);
        double bound = boundOnManyThreads(latency);
        List<Double> notBetter = latency.percentilesNotBetter(Call.USER_TIME);
        String percentiles = notBetter.stream().map(percentile -> "p" + percentile).collect(Collectors.joining(", "));
        return List.of(
                new Target(
                        quantity + ", mean less timer",
                        "≥ " + Figure.ratio(MANY_THREADS_USER_GAIN),
                        Figure.spread(gain, Figure::ratio) + "; with timer " + Figure.ratio(withTimer.median()),
                        Figure.ratio(bound),
                        Target.atLeast(MANY_THREADS_USER_GAIN, gain.median(), bound)),
                new Target(
                        quantity + ", p50 to p99.99",
                        "> 1 at each",
                        notBetter.isEmpty() ? "better at each" : "not better at " + percentiles,
                        "",
                        notBetter.isEmpty() ? Target.YES : Target.NO));
    }

    /** Threads that share CPUs wait for one another, on average, in proportion to what they do. */
    private double boundOnManyThreads(LatencyMeasurement latency) {
        double threadsPerCpu = Math.max(1, (double) latency.threads() / cpus);
        double stockNs = latency.meanLessTimer(ClockChoice.STOCK, Call.USER_TIME).least();
        return stockNs / (inC.counterNs().least() * threadsPerCpu);
    }

    private Target timesCounter(String source, String row) {
        String quantity = "source " + source + " in C, user and CPU time ÷ bare counter";
        String atMost = "≤ " + Figure.ratio(TIMES_COUNTER);
        Optional<NativeCost> cost = inC.cost(row);
        return cost.map(measured -> new Target(
                        quantity,
                        atMost,
                        Figure.ratio(measured.timesCounter()),
                        Figure.ratio(1),
                        Target.atMost(TIMES_COUNTER, measured.timesCounter())))
                .orElse(new Target(quantity, atMost, "", "", Target.NOT_MEASURED));
    }

    private List<Target> memory() {
        return List.of(
                new Target(
                        "memory of the process, bytes",
                        "≤ " + Figure.count(PROCESS_BYTES),
                        Figure.count(memory.processBytes()),
                        "",
                        Target.atMost(PROCESS_BYTES, memory.processBytes())),
                new Target(
                        "memory of a thread, bytes",
                        "≤ " + Figure.count((long) THREAD_BYTES),
                        Figure.ns(memory.bytesPerThread()),
                        "",
                        Target.atMost(THREAD_BYTES, memory.bytesPerThread())));
    }
}
