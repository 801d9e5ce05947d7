// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The figures to reach on one JDK that are about other threads than the calling one. A figure is reached if it is by
 * either way of loading the agent.
 */
final class AllThreadsTargets {
    private static final double USER_GAIN = 20;
    private static final double CPU_GAIN = 1;
    private static final double ARRAY = 1000;
    private static final double ARRAY_USER_NS = 500;
    private static final double START_TIMES_STOCK = 1.05;
    private static final double YIELD_TIMES_STOCK = 1.05;
    private static final double ATTACH_MS = 500;

    private static final List<String> BOTH = List.of(Contest.AGENTPATH, Contest.ATTACHED);
    private static final String USER_TIME = "user time";
    private static final String CPU_TIME = "CPU time";

    private final Results results;
    private final NativeReads inC;
    private final String jdk;

    AllThreadsTargets(Results results, String jdk) {
        this.results = results;
        this.inC = new NativeReads(results);
        this.jdk = jdk;
    }

    List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        for (String neighbour : ByIdTable.neighbours(results)) {
            double floorNs = neighbour.equals("asleep") ? inC.threadAsleepNs() : inC.threadBusyNs();
            addGains(targets, "of another thread by id, " + neighbour, floorNs, quantity ->
                    new Contest(results, Benchmarks.BY_ID, jdk, quantity + ", " + neighbour));
        }
        String threads = "of " + Figure.count((long) ARRAY) + " threads in one call";
        addGains(targets, threads, inC.threadAsleepNs(), this::array);
        targets.add(nsOfArray(threads));
        targets.add(timesStock(lifecycle("thread start + end"), BOTH, START_TIMES_STOCK));
        Contest yield = lifecycle("virtual thread's yield");
        if (yield.has(Contest.STOCK)) {
            // -agentpath slows them, as its documentation says.
            targets.add(timesStock(yield, List.of(Contest.ATTACHED), YIELD_TIMES_STOCK));
        }
        targets.add(attach());
        return targets;
    }

    private Contest array(String quantity) {
        return new Contest(results, Benchmarks.ARRAY, jdk, quantity, ARRAY);
    }

    private Contest lifecycle(String quantity) {
        return new Contest(results, Benchmarks.LIFECYCLE, jdk, quantity);
    }

    /** User time where stock parses /proc, CPU time everywhere. */
    private void addGains(List<Target> targets, String threads, double floorNs, Function<String, Contest> contest) {
        if (TargetTable.parsesProc(jdk)) {
            targets.add(gain(USER_TIME + " " + threads, contest.apply(USER_TIME), floorNs, USER_GAIN));
        }
        targets.add(gain(CPU_TIME + " " + threads, contest.apply(CPU_TIME), floorNs, CPU_GAIN));
    }

    /** No clock asks the kernel less than once for each thread. */
    private Target gain(String quantity, Contest contest, double floorNs, double wanted) {
        double bound = contest.spread(Contest.STOCK).least() / floorNs;
        double worse = BOTH.stream().map(contest::gain).mapToDouble(Spread::median).min().orElseThrow();
        return new Target(
                name(quantity + ", stock ÷ this"),
                "≥ " + Figure.ratio(wanted),
                reached(BOTH, contest::gain, Figure::ratio),
                Figure.ratio(bound),
                Target.atLeast(wanted, worse, bound));
    }

    private Target nsOfArray(String threads) {
        String quantity = USER_TIME + " " + threads + ", ns a thread";
        String bound = Figure.ns(inC.threadAsleepNs());
        return atMost(quantity, BOTH, array(USER_TIME)::spread, ARRAY_USER_NS, bound, Figure::ns);
    }

    private Target timesStock(Contest lifecycle, List<String> loadings, double wanted) {
        String quantity = lifecycle.quantity() + ", this ÷ stock";
        return atMost(quantity, loadings, lifecycle::timesStock, wanted, "", Figure::ratio);
    }

    private Target attach() {
        double threads = AttachTable.mostThreads(results);
        String quantity = "attach to a JVM with " + Figure.count((long) threads) + " threads, ms";
        Contest contest = AttachTable.contest(results, jdk, threads);
        return atMost(quantity, List.of(Contest.ATTACHED), contest::spread, ATTACH_MS, "", Figure::ns);
    }

    private Target atMost(
            String quantity,
            List<String> loadings,
            Function<String, Spread> measured,
            double wanted,
            String bound,
            DoubleFunction<String> figure) {
        double worse = loadings.stream().map(measured).mapToDouble(Spread::median).max().orElseThrow();
        return new Target(
                name(quantity),
                "≤ " + figure.apply(wanted),
                reached(loadings, measured, figure),
                bound,
                Target.atMost(wanted, worse));
    }

    private static String reached(
            List<String> loadings, Function<String, Spread> measured, DoubleFunction<String> figure) {
        return loadings.stream()
                .map(loading -> loading + " " + Figure.spread(measured.apply(loading), figure))
                .collect(Collectors.joining(", "));
    }

    private String name(String quantity) {
        return "JDK " + jdk + ": " + quantity;
    }
}
