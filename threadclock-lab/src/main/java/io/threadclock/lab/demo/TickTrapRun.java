// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.lab.demo.message.Message;
import io.threadclock.lab.demo.message.TrapPhase;
import io.threadclock.lab.demo.program.TickTrapProgram;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.ScratchDirectory;
import io.threadclock.harness.SetupException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs the bursts of the tick trap once for each way to read user time, on one JDK. */
final class TickTrapRun {
    private final Jdk jdk;
    private final AgentLibrary agent;
    private final DemoPlan plan;
    private final long tickNs;
    private final Progress progress;

    TickTrapRun(Jdk jdk, AgentLibrary agent, DemoPlan plan, long tickNs, Progress progress) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.tickNs = tickNs;
        this.progress = progress;
    }

    /** @throws SetupException if a program does not run through, or the agent refuses */
    TickTrapMeasurement measure() {
        Map<UserTimeWay, List<TrapPhase>> byWay = new EnumMap<>(UserTimeWay.class);
        for (UserTimeWay way : UserTimeWay.values()) {
            progress.stage("tick trap: " + way.title());
            byWay.put(way, measure(way));
        }
        return new TickTrapMeasurement(jdk, tickNs, byWay);
    }

    private List<TrapPhase> measure(UserTimeWay way) {
        try (ScratchDirectory scratch = ScratchDirectory.create("threadclock-lab-")) {
            AtomicInteger phase = new AtomicInteger();
            Optional<String> agentOptions = way.agentOptions(jdk.feature());
            ChildResult result = ProgramJvm.on(jdk, scratch.path())
                    .jvmOptions(agentOptions.map(agent::jvmOption).stream().toList())
                    .mainClass(TickTrapProgram.class)
                    .arguments(
                            Long.toString(tickNs),
                            Integer.toString(DemoPlan.TICK_PHASES),
                            Integer.toString(plan.bursts()))
                    .onStdout(
                            line -> progress.step(phase.incrementAndGet() + " of " + DemoPlan.TICK_PHASES + " phases"))
                    .run();
            if (result.exitStatus() != 0) {
                throw new SetupException("Running the tick trap on " + jdk + ": it ended with status "
                        + result.exitStatus() + ": " + result.stderr().strip() + ". Start the demo again.");
            }
            AgentRefusal.requireNone(result.stderrLines(), jdk);
            return result.stdoutLines().stream()
                    .map(Message::parse)
                    .flatMap(Optional::stream)
                    .map(TrapPhase::of)
                    .toList();
        }
    }
}
