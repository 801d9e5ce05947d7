// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.benchmarks.program.HistogramText;
import io.threadclock.benchmarks.program.Request;
import io.threadclock.benchmarks.program.ThreadMXBeanLatency;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.SetupException;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Measures calls on many threads: two JVMs alike but for the agent, both alive, working in turn. */
final class LatencyRun {
    static final int THREADS = 16;

    private static final List<Call> CALLS = List.of(Call.EMPTY, Call.USER_TIME, Call.CPU_TIME);

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final BenchPlan plan;
    private final Progress progress;

    LatencyRun(Jdk jdk, AgentLibrary agent, BenchPlan plan, Progress progress) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.progress = progress;
    }

    LatencyMeasurement measure() {
        progress.stage(jdk + ": " + THREADS + " threads");
        LatencyMeasurement measurement = new LatencyMeasurement(jdk, THREADS);
        try (BenchChild stock = start(ClockChoice.STOCK);
                BenchChild threadclock = start(ClockChoice.AUTO)) {
            warmUp(stock);
            warmUp(threadclock);
            AgentLibrary.refusalIn(threadclock.agentLines()).ifPresent(LatencyRun::refuse);
            for (int round = 0; round < plan.latencyRounds(); round++) {
                progress.step("round " + (round + 1) + " of " + plan.latencyRounds());
                for (Call call : CALLS) {
                    measurement.add(ClockChoice.STOCK, call, measure(stock, call));
                    measurement.add(ClockChoice.AUTO, call, measure(threadclock, call));
                }
            }
        }
        return measurement;
    }

    private void warmUp(BenchChild child) {
        progress.step("warming up");
        CALLS.forEach(call -> child.ask(new Request(call, plan.warmupMs() / CALLS.size())));
    }

    private Histogram measure(BenchChild child, Call call) {
        return HistogramText.parse(child.ask(new Request(call, plan.latencyMs())));
    }

    private BenchChild start(ClockChoice clock) {
        return new BenchChild(
                jdk, ThreadMXBeanLatency.class, clock.jvmOptions(agent), Integer.toString(THREADS));
    }

    private static void refuse(String agentLine) {
        throw new SetupException("Loading the agent: it answered \"" + agentLine
                + "\". Without it there is nothing to compare: do as the line says, then start the benchmark again.");
    }
}
