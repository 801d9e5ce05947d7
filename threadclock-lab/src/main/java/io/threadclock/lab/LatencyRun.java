// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.program.Call;
import io.threadclock.lab.program.HistogramText;
import io.threadclock.lab.program.Request;
import io.threadclock.lab.program.ThreadMXBeanLatency;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.ResultsDraft;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.SetupException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Measures calls on many threads: two JVMs alike but for the agent, both alive, working in turn. */
final class LatencyRun {
    private static final int THREADS = 16;

    private static final List<Call> CALLS = List.of(Call.EMPTY, Call.USER_TIME, Call.CPU_TIME);

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final BenchPlan plan;
    private final Progress progress;
    private final ResultsDraft draft;
    private final Map<Subject, Histogram> totals = new LinkedHashMap<>();

    LatencyRun(Jdk jdk, AgentLibrary agent, BenchPlan plan, Progress progress, ResultsDraft draft) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.progress = progress;
        this.draft = draft;
    }

    void measure() {
        progress.stage(jdk + ": " + THREADS + " threads");
        try (BenchChild stock = start(ClockChoice.STOCK);
                BenchChild threadclock = start(ClockChoice.AUTO)) {
            warmUp(stock);
            warmUp(threadclock);
            AgentLibrary.refusalIn(threadclock.agentLines()).ifPresent(LatencyRun::refuse);
            for (int round = 0; round < plan.latencyRounds(); round++) {
                progress.step("round " + (round + 1) + " of " + plan.latencyRounds());
                for (Call call : CALLS) {
                    measure(stock, ClockChoice.STOCK, call);
                    measure(threadclock, ClockChoice.AUTO, call);
                }
            }
        }
        totals.forEach((subject, histogram) -> draft.add(Distribution.of(subject, "ns", histogram)));
    }

    private void warmUp(BenchChild child) {
        progress.step("warming up");
        CALLS.forEach(call -> child.ask(new Request(call, plan.warmupMs() / CALLS.size())));
    }

    /** {@link Call#EMPTY} is the timer alone. */
    private void measure(BenchChild child, ClockChoice clock, Call call) {
        Histogram histogram = HistogramText.parse(child.ask(new Request(call, plan.latencyMs())));
        String quantity = call == Call.EMPTY ? "timer" : call.toString();
        Subject subject =
                new Subject(Benchmarks.LATENCY, jdk.version(), clock.toString(), quantity, (double) THREADS);
        draft.add(subject, "ns", histogram.getMean());
        totals.computeIfAbsent(subject, absent -> new Histogram(3)).add(histogram);
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
