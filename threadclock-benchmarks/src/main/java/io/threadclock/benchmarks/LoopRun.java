// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.benchmarks.program.Request;
import io.threadclock.benchmarks.program.ThreadMXBeanLoop;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Measures plain loops on one JDK: one JVM for each clock, all alive, each measuring while the others wait. The like
 * calls of all clocks follow one another within a fraction of a second, so that whatever else happens on the machine
 * happens to all.
 */
final class LoopRun {
    private static final String SOURCE_LINE = "threadclock: source ";

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final BenchPlan plan;
    private final Progress progress;
    private final LoopMeasurement measurement;

    LoopRun(Jdk jdk, AgentLibrary agent, BenchPlan plan, Progress progress) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.progress = progress;
        this.measurement = new LoopMeasurement(jdk);
    }

    LoopMeasurement measure() {
        measurement.source(sourceOfAuto());
        for (int launch = 1; launch <= plan.launches(); launch++) {
            progress.stage(jdk + ": plain loops, JVMs " + launch + " of " + plan.launches());
            Map<ClockChoice, BenchChild> children = new EnumMap<>(ClockChoice.class);
            try {
                start(children);
                runRounds(children);
                children.values().forEach(child -> measurement.agentLines(child.agentLines()));
            } finally {
                children.values().forEach(BenchChild::close);
            }
        }
        return measurement;
    }

    /** The agent says it at the end, if asked for its statistics. */
    private String sourceOfAuto() {
        try (BenchChild child = start(List.of(agent.jvmOption("stats")))) {
            child.ask(new Request(Call.USER_TIME, 1));
            return child.end().stream()
                    .filter(line -> line.startsWith(SOURCE_LINE))
                    .map(line -> line.substring(SOURCE_LINE.length()))
                    .findFirst()
                    .orElse("?");
        }
    }

    private void start(Map<ClockChoice, BenchChild> children) {
        for (ClockChoice clock : ClockChoice.values()) {
            progress.step("warming up " + clock);
            BenchChild child = start(clock.jvmOptions(agent));
            children.put(clock, child);
            for (Call call : Call.values()) {
                child.ask(new Request(call, plan.warmupMs() / Call.values().length));
            }
            if (AgentLibrary.refusalIn(child.agentLines()).isPresent()) {
                measurement.agentLines(child.agentLines());
                children.remove(clock).close();
            }
        }
    }

    private void runRounds(Map<ClockChoice, BenchChild> children) {
        for (int round = 0; round < plan.rounds(); round++) {
            progress.step("round " + (round + 1) + " of " + plan.rounds());
            for (Call call : Call.values()) {
                for (ClockChoice clock : inTurn(children, round)) {
                    String ns = children.get(clock).ask(new Request(call, plan.sliceMs()));
                    measurement.add(clock, call, Double.parseDouble(ns));
                }
            }
        }
    }

    /** Every other round runs backward, so that none is always before another. */
    private static List<ClockChoice> inTurn(Map<ClockChoice, BenchChild> children, int round) {
        List<ClockChoice> clocks = new ArrayList<>(children.keySet());
        if (round % 2 == 1) {
            Collections.reverse(clocks);
        }
        return clocks;
    }

    private BenchChild start(List<String> agentOptions) {
        List<String> options = new ArrayList<>(List.of(ThreadMXBeanLoop.JVM_OPTIONS));
        options.addAll(agentOptions);
        return new BenchChild(jdk, ThreadMXBeanLoop.class, options);
    }
}
