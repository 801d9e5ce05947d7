// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.cli.attach.SourceNames;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.program.HistogramText;
import io.threadclock.lab.program.OwnTime;
import io.threadclock.lab.program.OwnTime.Call;
import io.threadclock.lab.program.OwnTimeOnManyThreads;
import io.threadclock.lab.question.Session.Row;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Measures what a thread pays for reading its own times through ThreadMXBean, alone and with many others at once. */
public final class ReadCost {
    private static final List<Call> READS = List.of(Call.USER_TIME, Call.CPU_TIME);
    /** Calls for comparison, on which no agent has an effect. */
    private static final List<Call> BASELINES = List.of(Call.EMPTY, Call.NANO_TIME);

    private static final List<Contender> CLOCKS = List.of(
            Contender.STOCK,
            Contender.THREADCLOCK,
            Contender.source(SourceNames.PERF),
            Contender.source(SourceNames.CLOCK),
            Contender.source(SourceNames.TICKS),
            Contender.source(SourceNames.PROC));

    private static final int THREADS = 16;
    /** The first is the timer alone. */
    private static final List<Call> TIMED = List.of(Call.EMPTY, Call.USER_TIME, Call.CPU_TIME);

    private final Session session;
    private final Plan plan;
    private final Map<Subject, Histogram> totals = new LinkedHashMap<>();

    public ReadCost(Session session) {
        this.session = session;
        this.plan = session.plan();
    }

    public void measure() {
        for (int launch = 1; launch <= plan.launches(); launch++) {
            session.stage("plain loops, JVMs " + launch + " of " + plan.launches());
            try (Contenders contenders = session.start(CLOCKS, OwnTime.class, OwnTime.JVM_OPTIONS)) {
                measureAlone(contenders);
            }
        }
        session.stage(THREADS + " threads");
        try (Contenders contenders =
                session.start(List.of(Contender.STOCK, Contender.THREADCLOCK), OwnTimeOnManyThreads.class)) {
            measureOnManyThreads(contenders);
        }
    }

    private void measureAlone(Contenders contenders) {
        session.progress().step("warming up");
        for (Call call : Call.values()) {
            contenders.ask(new OwnTime.Request(call, plan.loops().warmupMs() / Call.values().length));
        }
        note(contenders.dropRefused());
        for (int round = 0; round < plan.loops().count(); round++) {
            session.progress()
                    .step("round " + (round + 1) + " of " + plan.loops().count());
            for (Call call : BASELINES) {
                double ns = contenders
                        .of(Contender.STOCK)
                        .ask(new OwnTime.Request(call, plan.loops().sliceMs()), Double.class);
                session.add(Benchmarks.LOOP, call.toString(), "call", null, "ns", ns);
            }
            for (Call call : READS) {
                OwnTime.Request request = new OwnTime.Request(call, plan.loops().sliceMs());
                session.askInTurn(contenders, round, request, new Row(Benchmarks.LOOP, call, null, "ns", 1));
            }
        }
        note(contenders.agentLines());
    }

    private void note(List<String> agentLines) {
        agentLines.forEach(line -> session.draft().note("JDK " + session.jdk().version() + ": " + line));
    }

    private void measureOnManyThreads(Contenders contenders) {
        session.progress().step("warming up");
        TIMED.forEach(call -> contenders.ask(
                new OwnTimeOnManyThreads.Request(call, THREADS, plan.latency().warmupMs() / TIMED.size())));
        contenders.requireAgents();
        for (int round = 0; round < plan.latency().count(); round++) {
            session.progress()
                    .step("round " + (round + 1) + " of " + plan.latency().count());
            for (Call call : TIMED) {
                for (Contender contender : contenders.inTurn(round)) {
                    time(contenders, contender, call);
                }
            }
        }
        totals.forEach((subject, histogram) -> session.draft().add(Measurement.of(subject, "ns", histogram)));
    }

    private void time(Contenders contenders, Contender contender, Call call) {
        var request =
                new OwnTimeOnManyThreads.Request(call, THREADS, plan.latency().sliceMs());
        Histogram histogram = HistogramText.parse(contenders.of(contender).ask(request, String.class));
        Object quantity = call == Call.EMPTY ? "timer" : call;
        Subject subject = session.subject(Benchmarks.LATENCY, contender.title(), quantity, THREADS);
        session.draft().add(subject, "ns", histogram.getMean());
        totals.computeIfAbsent(subject, absent -> new Histogram(3)).add(histogram);
    }
}
