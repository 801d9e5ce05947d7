// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import static io.threadclock.bench.Promise.figure;

import io.threadclock.bench.DatabaseWork.Cost;
import io.threadclock.bench.DatabaseWork.Way;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * {@code ./threadclock demo}: what this machine's JDKs charge and cost, stock and with threadclock, in a minute or two.
 */
final class Demo {
    private static final List<String> CLOCKS = List.of("stock", "threadclock");
    /** The benchmarks of these calls. */
    private static final List<String> CALLS = List.of(
            "userTime getCurrentThreadUserTime()",
            "cpuTime getCurrentThreadCpuTime()",
            "userTimeOfBusy getThreadUserTime(id of a busy thread)");

    private final List<Jdk> jdks;
    private final boolean isQuick;
    private final Progress progress;

    private Demo(List<Jdk> jdks, boolean isQuick, Progress progress) {
        this.jdks = jdks;
        this.isQuick = isQuick;
        this.progress = progress;
    }

    public static void main(String[] arguments) throws Exception {
        Options.run("demo", arguments, options -> {
            List<Jdk> jdks = options.withoutRest().jdks(Options.OLDEST_FEATURE);
            System.out.println(Options.machine());
            try (Progress progress = Progress.onStderr()) {
                Demo demo = new Demo(jdks, options.isQuick(), progress);
                demo.showTrap();
                demo.showDatabase();
                demo.showCalls();
                demo.showMounted();
            }
            System.out.println("\nWhat is promised of that: ./threadclock bench, ./threadclock accuracy.");
            return true;
        });
    }

    /** For more JDKs than two, less is measured on each of them. */
    private long amount(long full, long quick) {
        return (isQuick ? quick : full) * 2 / Math.max(2, jdks.size());
    }

    private void print(String format, Object... cells) {
        progress.clear();
        System.out.printf(Locale.ROOT, format + "%n", cells);
    }

    private void showTrap() {
        String row = "  %-10s %-12s %7s %7s %14s";
        print(
                "%nThe tick trap: bursts of 0.3 ms of user work at each of 16 phases of the clock tick are charged this much of");
        print("their CPU time as user time (right: 100 %%)%n%n" + row, "JDK", "clock", "least", "most", "nothing, at");
        for (Jdk jdk : jdks) {
            for (String clock : CLOCKS) {
                progress.stage(jdk + ": the tick trap, " + clock);
                double[] percent = userPercent(jdk, clock);
                String least = percent.length == 0 ? "?" : "%.0f %%".formatted(percent[0]);
                String most = percent.length == 0 ? "?" : "%.0f %%".formatted(percent[percent.length - 1]);
                long none = DoubleStream.of(percent).filter(each -> each < 0.5).count();
                print(row, jdk.version(), clock, least, most, none + " of " + percent.length);
            }
        }
    }

    /** Sorted, of the phases at which bursts were on time. */
    private double[] userPercent(Jdk jdk, String clock) {
        List<String> options =
                clock.equals("stock") ? List.of() : List.of(Child.agent().jvmOption(""));
        double[] percents = Bursts.percents(jdk, amount(40, 12), options);
        Arrays.sort(percents);
        return percents;
    }

    private void showDatabase() {
        String row = "  %-10s %14s %24s %24s";
        print(
                "%nA database (QuestDB, one thread) that reads user and CPU time before and after each query of some 0.1 ms");
        print(
                "loses this share of its throughput, with a confidence of 95 %%%n%n" + row,
                "JDK",
                "queries/s",
                "stock",
                "threadclock");
        for (Jdk jdk : jdks) {
            DatabaseWork.Costs costs = DatabaseWork.measure(jdk, amount(4500, 1700), progress);
            String without = figure(costs.stock().get(Way.NONE).unitsPerSecond());
            print(row, jdk.version(), without, lost(costs.stock()), lost(costs.agent()));
        }
    }

    private static String lost(Map<Way, Cost> costs) {
        Cost cost = costs.get(Way.BEAN);
        return String.format(Locale.ROOT, "%.1f %% (%.1f to %.1f)", cost.percent(), cost.low(), cost.high());
    }

    private void showCalls() throws Exception {
        String row = "  %-10s %-40s %10s %12s %8s";
        print("%nOne call of ThreadMXBean, ns%n%n" + row, "JDK", "", "stock", "threadclock", "ratio");
        Forks forks = new Forks(new CommandLineOptions(), Options.home().resolve(".build/jmh.log"));
        for (Jdk jdk : jdks) {
            progress.stage(jdk + ": calls");
            for (String call : CALLS) {
                String benchmark = "OneRead." + call.replaceFirst(" .*", "");
                CLOCKS.forEach(clock -> forks.run(jdk, benchmark, clock));
                double stockNs = Comparison.median(forks.roundsNs(jdk, benchmark, "stock"));
                double ns = Comparison.median(forks.roundsNs(jdk, benchmark, "threadclock"));
                String name = call.replaceFirst("\\w+ ", "");
                print(row, jdk.version(), name, figure(stockNs), figure(ns), figure(stockNs / ns) + "×");
            }
        }
    }

    private void showMounted() {
        String row = "  %-10s %14s %24s";
        print("%nA busy virtual thread, on twice as many carriers as CPUs, ÷ the CPU time that it has used");
        print("(the JDK itself tells none)%n%n" + row, "JDK", "mounted for", "CPU time by threadclock");
        for (Jdk jdk : jdks) {
            if (jdk.feature() >= Options.OLDEST_WITH_VIRTUAL) {
                progress.stage(jdk + ": virtual threads");
                try (Child child = Child.start(jdk, Mounted.class, List.of(Mounted.jvmOption()))) {
                    child.ask("300");
                    Object[] ratios =
                            child.ask(Long.toString(amount(1500, 500))).split("\t");
                    print(row, jdk.version(), ratios[0], ratios[1]);
                }
            }
        }
    }
}
