// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Neighbour;
import io.threadclock.benchmarks.program.Quantity;
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
    private static final int ARRAY = 1000;
    private static final double ARRAY_USER_NS = 500;
    private static final double START_TIMES_STOCK = 1.05;
    private static final double YIELD_TIMES_STOCK = 1.05;
    private static final double ATTACH_MS = 500;

    private static final List<Loading> BOTH = List.of(Loading.AGENTPATH, Loading.ATTACHED);

    private final NativeMeasurement inC;
    private final AllThreadsMeasurement measurement;

    AllThreadsTargets(NativeMeasurement inC, AllThreadsMeasurement measurement) {
        this.inC = inC;
        this.measurement = measurement;
    }

    List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        for (Neighbour neighbour : Neighbour.values()) {
            double floorNs = neighbour == Neighbour.ASLEEP ? inC.threadAsleepNs() : inC.threadBusyNs();
            String thread = "of another thread by id, " + neighbour;
            Function<Quantity, NeighbourReading> reading = quantity -> new NeighbourReading(neighbour, quantity);
            addGains(targets, thread, measurement.byId(), floorNs, reading);
        }
        String threads = "of " + Figure.count(ARRAY) + " threads in one call";
        addGains(targets, threads, measurement.arrays(), inC.threadAsleepNs(), AllThreadsTargets::array);
        targets.add(nsOfArray(threads));
        targets.add(timesStock(Lifecycle.START_AND_END, BOTH, START_TIMES_STOCK));
        if (measurement.lifecycles().measured().contains(Lifecycle.VIRTUAL_YIELD)) {
            // -agentpath slows them, as its documentation says.
            targets.add(timesStock(Lifecycle.VIRTUAL_YIELD, List.of(Loading.ATTACHED), YIELD_TIMES_STOCK));
        }
        targets.add(attach());
        return targets;
    }

    private static ArrayReading array(Quantity quantity) {
        return new ArrayReading(ARRAY, quantity);
    }

    /** User time where stock parses /proc, CPU time everywhere. */
    private <K> void addGains(
            List<Target> targets, String threads, Rounds<K> rounds, double floorNs, Function<Quantity, K> measured) {
        if (measurement.jdk().feature() <= TargetTable.NEWEST_THAT_PARSES_PROC) {
            targets.add(gain("user time " + threads, rounds, measured.apply(Quantity.USER_TIME), floorNs, USER_GAIN));
        }
        targets.add(gain("CPU time " + threads, rounds, measured.apply(Quantity.CPU_TIME), floorNs, CPU_GAIN));
    }

    /** No clock asks the kernel less than once for each thread. */
    private <K> Target gain(String quantity, Rounds<K> rounds, K measured, double floorNs, double wanted) {
        double bound = rounds.ns(measured, Loading.STOCK).least() / floorNs;
        Function<Loading, Spread> gain = loading -> rounds.gain(measured, loading);
        double worse = BOTH.stream().map(gain).mapToDouble(Spread::median).min().orElseThrow();
        return new Target(
                name(quantity + ", stock ÷ this"),
                "≥ " + Figure.ratio(wanted),
                reached(BOTH, gain, Figure::ratio),
                Figure.ratio(bound),
                Target.atLeast(wanted, worse, bound));
    }

    private Target nsOfArray(String threads) {
        Function<Loading, Spread> ns = loading -> measurement.arrays().ns(array(Quantity.USER_TIME), loading);
        String quantity = "user time " + threads + ", ns a thread";
        return atMost(quantity, BOTH, ns, ARRAY_USER_NS, Figure.ns(inC.threadAsleepNs()), Figure::ns);
    }

    private Target timesStock(Lifecycle lifecycle, List<Loading> loadings, double wanted) {
        Function<Loading, Spread> times = loading -> measurement.lifecycles().timesStock(lifecycle, loading);
        return atMost(lifecycle + ", this ÷ stock", loadings, times, wanted, "", Figure::ratio);
    }

    private Target attach() {
        String quantity = "attach to a JVM with " + Figure.count(AttachRun.MANY_THREADS) + " threads, ms";
        Function<Loading, Spread> ms = attached -> measurement.attach().toManyMs();
        return atMost(quantity, List.of(Loading.ATTACHED), ms, ATTACH_MS, "", Figure::ns);
    }

    private Target atMost(
            String quantity,
            List<Loading> loadings,
            Function<Loading, Spread> measured,
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
            List<Loading> loadings, Function<Loading, Spread> measured, DoubleFunction<String> figure) {
        return loadings.stream()
                .map(loading -> loading + " " + Figure.spread(measured.apply(loading), figure))
                .collect(Collectors.joining(", "));
    }

    private String name(String quantity) {
        return "JDK " + measurement.jdk().version() + ": " + quantity;
    }
}
