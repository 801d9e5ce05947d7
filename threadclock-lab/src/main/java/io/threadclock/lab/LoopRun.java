// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.program.Call;
import io.threadclock.lab.program.Request;
import io.threadclock.lab.program.ThreadMXBeanLoop;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.ResultsDraft;
import io.threadclock.lab.results.Subject;
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
    private static final List<Call> READS = List.of(Call.USER_TIME, Call.CPU_TIME);
    /** What the reads are beside; no agent has a hand in these. */
    private static final List<Call> BASELINES = List.of(Call.EMPTY, Call.NANO_TIME);

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final BenchPlan plan;
    private final Progress progress;
    private final ResultsDraft draft;

    LoopRun(Jdk jdk, AgentLibrary agent, BenchPlan plan, Progress progress, ResultsDraft draft) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.progress = progress;
        this.draft = draft;
    }

    void measure() {
        for (int launch = 1; launch <= plan.launches(); launch++) {
            progress.stage(jdk + ": plain loops, JVMs " + launch + " of " + plan.launches());
            Map<ClockChoice, BenchChild> children = new EnumMap<>(ClockChoice.class);
            try {
                start(children);
                runRounds(children);
                children.values().forEach(this::noteAgentLines);
            } finally {
                children.values().forEach(BenchChild::close);
            }
        }
    }

    private void start(Map<ClockChoice, BenchChild> children) {
        for (ClockChoice clock : ClockChoice.values()) {
            progress.step("warming up " + clock);
            BenchChild child = start(clock.jvmOptions(agent));
            children.put(clock, child);
            for (Call call : calls(clock)) {
                child.ask(new Request(call, plan.warmupMs() / Call.values().length));
            }
            if (AgentLibrary.refusalIn(child.agentLines()).isPresent()) {
                noteAgentLines(child);
                children.remove(clock).close();
            }
        }
    }

    private void runRounds(Map<ClockChoice, BenchChild> children) {
        for (int round = 0; round < plan.rounds(); round++) {
            progress.step("round " + (round + 1) + " of " + plan.rounds());
            BASELINES.forEach(call -> runSlice(children, ClockChoice.STOCK, call));
            for (Call call : READS) {
                inTurn(children, round).forEach(clock -> runSlice(children, clock, call));
            }
        }
    }

    private void runSlice(Map<ClockChoice, BenchChild> children, ClockChoice clock, Call call) {
        String ns = children.get(clock).ask(new Request(call, plan.sliceMs()));
        String contender = READS.contains(call) ? clock.toString() : call.toString();
        String quantity = READS.contains(call) ? call.toString() : "call";
        Subject subject = new Subject(Benchmarks.LOOP, jdk.version(), contender, quantity, null);
        draft.add(subject, "ns", Double.parseDouble(ns));
    }

    /** Refusals and demotions. */
    private void noteAgentLines(BenchChild child) {
        child.agentLines().forEach(line -> draft.note("JDK " + jdk.version() + ": " + line));
    }

    private static List<Call> calls(ClockChoice clock) {
        return clock == ClockChoice.STOCK ? List.of(Call.values()) : READS;
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
