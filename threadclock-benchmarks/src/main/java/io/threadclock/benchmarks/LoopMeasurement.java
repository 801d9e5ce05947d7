// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The mean ns of one call in a plain loop on one thread, round by round, for each clock on one JDK. */
final class LoopMeasurement {
    private final Jdk jdk;
    private final Map<ClockChoice, Map<Call, List<Double>>> nsByRound = new EnumMap<>(ClockChoice.class);
    private final Set<String> agentLines = new LinkedHashSet<>();
    private String source = "?";

    LoopMeasurement(Jdk jdk) {
        this.jdk = jdk;
    }

    Jdk jdk() {
        return jdk;
    }

    void add(ClockChoice clock, Call call, double ns) {
        nsByRound
                .computeIfAbsent(clock, absent -> new EnumMap<>(Call.class))
                .computeIfAbsent(call, absent -> new ArrayList<>())
                .add(ns);
    }

    /** False if the agent refused it on this machine. */
    boolean has(ClockChoice clock) {
        return nsByRound.containsKey(clock);
    }

    int rounds() {
        return nsByRound.get(ClockChoice.STOCK).get(Call.USER_TIME).size();
    }

    Spread ns(ClockChoice clock, Call call) {
        return Spread.of(rounds(clock, call));
    }

    /** How many times faster than stock, round by round. */
    Spread gain(ClockChoice clock, Call call) {
        return Spread.ofRatios(rounds(ClockChoice.STOCK, call), rounds(clock, call));
    }

    private double[] rounds(ClockChoice clock, Call call) {
        return nsByRound.get(clock).get(call).stream().mapToDouble(ns -> ns).toArray();
    }

    /** The source that threadclock took by itself. */
    void source(String name) {
        source = name;
    }

    String source() {
        return source;
    }

    void agentLines(List<String> lines) {
        agentLines.addAll(lines);
    }

    /** What agents said that was not asked for: refusals, demotions. */
    Set<String> agentLines() {
        return agentLines;
    }
}
