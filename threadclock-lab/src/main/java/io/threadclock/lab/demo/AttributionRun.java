// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.lab.demo.message.PhaseRequest;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.SetupException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures one JDK: two programs alike but for the agent live side by side and work in turn, phase by phase, so that
 * whatever else happens on the machine happens to both.
 */
final class AttributionRun {
    private static final int WARMUP_SLICES = 6;

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final DemoPlan plan;
    private final Progress progress;

    AttributionRun(Jdk jdk, AgentLibrary agent, DemoPlan plan, Progress progress) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * Measures within about {@code budgetMs}, with shorter phases where the programs are slow to start.
     *
     * @throws SetupException if a program does not start, or the agent refuses
     */
    JdkMeasurement measure(long budgetMs) {
        long beginNs = System.nanoTime();
        progress.stage(jdk + ": starting QuestDB twice, ingesting " + plan.historyRows() + " rows each");
        try (QuestDbChild stock = start(Contender.STOCK, List.of());
                QuestDbChild threadclock = start(Contender.THREADCLOCK, List.of(agent.jvmOption("stats")))) {
            stock.awaitReady();
            threadclock.awaitReady();
            AgentRefusal.requireNone(threadclock.stderrLines(), jdk);
            Map<Contender, QuestDbChild> children = new EnumMap<>(Contender.class);
            children.put(Contender.STOCK, stock);
            children.put(Contender.THREADCLOCK, threadclock);
            DemoPlan fitted = plan.fittedInto(budgetMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs));
            warmUp(fitted.warmupMs(), children);
            JdkMeasurement measurement = new JdkMeasurement(jdk);
            fitted.workers().forEach(workers -> measure(fitted, workers, children, measurement));
            stock.end();
            ChildResult ended = threadclock.end();
            measurement.agentLines(AgentLibrary.linesOf(ended.stderrLines()));
            return measurement;
        }
    }

    private QuestDbChild start(Contender contender, List<String> agentOptions) {
        return new QuestDbChild(jdk, contender, agentOptions, plan.historyRows());
    }

    private void warmUp(long warmupMs, Map<Contender, QuestDbChild> children) {
        progress.stage(jdk + ": warming up");
        long sliceMs = warmupMs / WARMUP_SLICES;
        for (int slice = 0; slice < WARMUP_SLICES; slice++) {
            progress.step(slice + 1 + " of " + WARMUP_SLICES);
            PhaseRequest request = new PhaseRequest(1, slice % 2 == 0, sliceMs);
            children.values().forEach(child -> child.begin(request));
            children.values().forEach(child -> child.finish(request));
        }
    }

    private void measure(
            DemoPlan fitted, int workers, Map<Contender, QuestDbChild> children, JdkMeasurement measurement) {
        progress.stage(jdk + ": " + workers + (workers == 1 ? " thread" : " threads"));
        for (int round = 0; round < fitted.rounds(); round++) {
            for (Setting setting : inTurn(workers, round)) {
                progress.step("round " + (round + 1) + " of " + fitted.rounds() + ", " + setting.contender()
                        + (setting.attribution() ? "" : ", attribution off"));
                PhaseRequest request = new PhaseRequest(workers, setting.attribution(), fitted.phaseMs());
                measurement.add(setting, children.get(setting.contender()).run(request));
            }
        }
    }

    /** Every other round runs backward, so that none is always the first: a program still gets faster as it runs. */
    static List<Setting> inTurn(int workers, int round) {
        List<Setting> settings = new ArrayList<>();
        for (boolean attribution : new boolean[] {true, false}) {
            for (Contender contender : Contender.values()) {
                settings.add(new Setting(workers, contender, attribution));
            }
        }
        if (round % 2 == 1) {
            Collections.reverse(settings);
        }
        return settings;
    }
}
