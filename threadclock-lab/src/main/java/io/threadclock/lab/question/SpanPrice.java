// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.Exchange;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.program.Spans;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the cost of a span, and of a scope. Two JVMs take turns; both have OpenTelemetry's agent and this project's extension, which is
 * switched on in one of them.
 */
public final class SpanPrice {
    public static final String SPAN = "a span with one scope";
    public static final String SCOPE = "a further scope";

    /** A span is a long way through the agent, which takes a while to be compiled. */
    private static final int WARM_UP_SLICES = 40;

    private final Session session;
    private final Path jars;
    private final Plan.OtherThreads plan;

    /** @param home the checkout */
    public SpanPrice(Session session, Path home) {
        this.session = session;
        this.jars = home.resolve("threadclock-lab/target/agents");
        this.plan = session.plan().otherThreads();
    }

    public void measure() {
        for (int launch = 1; launch <= plan.launches(); launch++) {
            session.stage("spans, JVMs " + launch + " of " + plan.launches());
            try (Contenders stock = start(false);
                    Contenders measured = start(true)) {
                Map<String, Exchange> jvms = new LinkedHashMap<>();
                jvms.put(Contest.STOCK, stock.of(Contender.STOCK));
                jvms.put(Contest.THREADCLOCK, measured.of(Contender.STOCK));
                measure(jvms);
            }
        }
    }

    private Contenders start(boolean isMeasured) {
        return session.start(
                List.of(Contender.STOCK),
                Spans.class,
                "-javaagent:" + jars.resolve("opentelemetry-javaagent.jar"),
                "-Dotel.javaagent.extensions=" + jars.resolve("threadclock-opentelemetry-extension.jar"),
                "-Dotel.traces.exporter=none",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none",
                "-Dthreadclock.spans.enabled=" + isMeasured,
                "-Dthreadclock.library=" + session.agent().path(),
                "--enable-native-access=ALL-UNNAMED");
    }

    private void measure(Map<String, Exchange> jvms) {
        jvms.forEach((contender, jvm) -> {
            ask(jvm, WARM_UP_SLICES * plan.rounds().warmupMs(), false);
            ask(jvm, WARM_UP_SLICES * plan.rounds().warmupMs() / 2, true);
        });
        requireMeasured(jvms.get(Contest.THREADCLOCK));
        for (int round = 0; round < plan.startRounds(); round++) {
            jvms.forEach((contender, jvm) -> add(contender, jvm, SPAN, false));
            jvms.forEach((contender, jvm) -> add(contender, jvm, SCOPE, true));
        }
    }

    private void add(String contender, Exchange jvm, String of, boolean isOfScopes) {
        session.add(
                Benchmarks.SPANS,
                contender,
                of,
                null,
                "ns",
                ask(jvm, plan.rounds().sliceMs(), isOfScopes));
    }

    /** The extension loads the native library for the first span that it measures. */
    private void requireMeasured(Exchange jvm) {
        String library = session.agent().real().path().toString();
        if (Mapping.of(jvm.pid()).stream().noneMatch(mapping -> mapping.path().equals(library))) {
            throw new SetupException("Measuring spans in " + jvm + ": " + library
                    + " is not loaded there, so they are not measured. Run ./threadclock build, then this again.");
        }
    }

    private static double ask(Exchange jvm, long durationMs, boolean isOfScopes) {
        return jvm.ask(new Spans.Request(durationMs, isOfScopes), Double.class);
    }
}
