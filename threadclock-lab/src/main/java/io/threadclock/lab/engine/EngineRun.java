// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine;

import io.threadclock.lab.BenchChild;
import io.threadclock.lab.contender.LateAgent;
import io.threadclock.lab.engine.program.EngineProgram;
import io.threadclock.lab.engine.program.Turns;
import io.threadclock.lab.engine.program.TurnsRequest;
import io.threadclock.lab.demo.ProgramJvm;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.ScratchDirectory;
import io.threadclock.harness.SetupException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Lets the contenders of one JDK work in turn. */
final class EngineRun {
    private static final int HISTORY_ROWS = 60_000;
    /** A slice is one cycle of units, about a millisecond: the shorter, the less changes from one to the next. */
    private static final int CYCLES = 1;

    private static final int ROUNDS_PER_BLOCK = 50;
    /** The first calls after the agent has come run uncompiled. */
    private static final long SETTLE_MS = 500;

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final EnginePlan plan;
    private final Progress progress;
    private final Schedule schedule = new Schedule();
    private final EngineMeasurement measurement;

    EngineRun(Jdk jdk, AgentLibrary agent, EnginePlan plan, Progress progress) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.progress = progress;
        this.measurement = new EngineMeasurement(jdk.version());
    }

    EngineMeasurement measure() {
        for (int launch = 1; launch <= plan.launches(); launch++) {
            progress.stage(jdk + ": engine, JVM " + launch + " of " + plan.launches());
            try (ScratchDirectory scratch = ScratchDirectory.create("threadclock-bench-");
                    BenchChild child = start(scratch)) {
                measure(child);
                measurement.note(child.agentLines());
            }
        }
        return measurement;
    }

    private void measure(BenchChild child) {
        progress.step("warming up");
        work(child, EngineContender.WITHOUT_AGENT, plan.warmupMs());
        progress.step("off, stock and the library in turn");
        workAndCount(child, EngineContender.WITHOUT_AGENT, plan.withoutAgentMs());
        new LateAgent(agent).attachTo(child.pid());
        AgentLibrary.refusalIn(child.agentLines()).ifPresent(EngineRun::refuse);
        progress.step("off and the agent in turn");
        work(child, EngineContender.WITH_AGENT, SETTLE_MS);
        workAndCount(child, EngineContender.WITH_AGENT, plan.withAgentMs());
    }

    private void work(BenchChild child, List<EngineContender> contenders, long durationMs) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        while (System.nanoTime() - endNs < 0) {
            block(child, contenders);
        }
    }

    private void workAndCount(BenchChild child, List<EngineContender> contenders, long durationMs) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        while (System.nanoTime() - endNs < 0) {
            measurement.add(contenders, block(child, contenders));
        }
    }

    private Turns block(BenchChild child, List<EngineContender> contenders) {
        TurnsRequest request = new TurnsRequest(schedule.rounds(contenders, ROUNDS_PER_BLOCK), CYCLES);
        return Turns.parse(child.ask(request.toString()));
    }

    private BenchChild start(ScratchDirectory scratch) {
        ChildJvm.Builder program = ProgramJvm.on(jdk, scratch.path())
                // One copy of the clock for the library and the agent.
                .jvmOptions("-Dthreadclock.library=" + agent.path())
                .mainClass(EngineProgram.class)
                .arguments(scratch.path().resolve("questdb").toString(), Integer.toString(HISTORY_ROWS));
        return new BenchChild("the engine on " + jdk, program);
    }

    private static void refuse(String agentLine) {
        throw new SetupException("Attaching the agent: it answered \"" + agentLine
                + "\". Without it there is nothing to compare: do as the line says, then start the benchmark again.");
    }
}
