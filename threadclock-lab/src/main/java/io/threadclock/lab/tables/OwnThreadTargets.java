// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The figures to reach on one thread, or many, that read themselves. */
final class OwnThreadTargets {
    private static final double USER_GAIN = 700;
    private static final double CPU_GAIN = 35;
    private static final double SYSTEM_CALLS_GAIN = 25;
    private static final double MANY_THREADS_USER_GAIN = 300;
    private static final double TIMES_COUNTER = 1.2;
    private static final String CLOCK = "source=clock";
    private static final String USER_TIME = "user time";

    private final Results results;
    private final NativeReads inC;

    OwnThreadTargets(Results results) {
        this.results = results;
        this.inC = new NativeReads(results);
    }

    List<Target> ofOneThread() {
        List<Target> targets = new ArrayList<>();
        for (String jdk : TargetTable.jdksThatParseProc(results, Benchmarks.LOOP)) {
            targets.add(gain(jdk, Contest.THREADCLOCK, USER_TIME, USER_TIME, USER_GAIN));
            targets.add(gain(jdk, Contest.THREADCLOCK, "CPU time", "CPU time", CPU_GAIN));
            targets.add(gain(jdk, CLOCK, USER_TIME, USER_TIME + ", " + CLOCK, SYSTEM_CALLS_GAIN));
        }
        return targets;
    }

    List<Target> ofManyThreads() {
        List<String> jdks = TargetTable.jdksThatParseProc(results, Benchmarks.LATENCY);
        return Latency.all(results).stream()
                .filter(latency -> jdks.contains(latency.jdk()))
                .flatMap(latency -> ofManyThreads(latency).stream())
                .toList();
    }

    List<Target> inC() {
        return List.of(timesCounter("rseq", NativeReads.RSEQ), timesCounter("perf", NativeReads.PERF));
    }

    private Target gain(String jdk, String clock, String quantity, String name, double wanted) {
        Contest contest = new Contest(results, Benchmarks.LOOP, jdk, quantity);
        String title = "JDK " + jdk + ": " + name + ", stock ÷ this";
        String atLeast = "≥ " + Figure.ratio(wanted);
        if (!contest.has(clock)) {
            return Target.notMeasured(title, atLeast);
        }
        Spread gain = contest.gain(clock);
        double floorNs = clock.equals(CLOCK) ? inC.systemCallNs() : inC.counterNs().least();
        double bound = contest.spread(Contest.STOCK).least() / floorNs;
        return new Target(
                title,
                atLeast,
                Figure.spread(gain, Figure::ratio),
                Figure.ratio(bound),
                Target.atLeast(wanted, gain.median(), bound));
    }

    private List<Target> ofManyThreads(Latency latency) {
        String threads = Figure.count((long) latency.threads());
        String quantity = "JDK " + latency.jdk() + ": user time on " + threads + " threads, stock ÷ this";
        Spread gain = latency.gainAtMean(USER_TIME);
        Spread withTimer = latency.gainAtMeanWithTimer(USER_TIME);
        double bound = bound(latency);
        List<Double> notBetter = latency.percentilesNotBetter(USER_TIME);
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
    private double bound(Latency latency) {
        double threadsPerCpu = Math.max(1, latency.threads() / results.origin().cpus());
        double stockNs = latency.meanLessTimer(Contest.STOCK, USER_TIME).least();
        return stockNs / (inC.counterNs().least() * threadsPerCpu);
    }

    private Target timesCounter(String source, String row) {
        String quantity = "source " + source + " in C, user and CPU time ÷ bare counter";
        String atMost = "≤ " + Figure.ratio(TIMES_COUNTER);
        return inC.find(row)
                .map(read -> timesCounter(quantity, atMost, read))
                .orElse(Target.notMeasured(quantity, atMost));
    }

    private Target timesCounter(String quantity, String atMost, Series read) {
        double times = read.ratioTo(inC.counter()).median();
        return new Target(
                quantity, atMost, Figure.ratio(times), Figure.ratio(1), Target.atMost(TIMES_COUNTER, times));
    }
}
