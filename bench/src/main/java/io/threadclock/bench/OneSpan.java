// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A span under OpenTelemetry's agent with this project's extension, which is switched off where the clock is stock. */
@Warmup(iterations = 12, time = 200, timeUnit = TimeUnit.MILLISECONDS) // it is a long way through the agent
@Measurement(iterations = 11, time = 50, timeUnit = TimeUnit.MILLISECONDS)
public class OneSpan extends Measured {
    private final Tracer tracer = GlobalOpenTelemetry.getTracer("spans");
    private final Span open = tracer.spanBuilder("open").startSpan();

    /** Without what the agent does to other classes, which takes long and has no part in a span. */
    static List<String> jvmOptions(boolean isMeasured) {
        Path home = Options.home();
        return List.of(
                "-javaagent:" + home.resolve("bench/target/agents/opentelemetry-javaagent.jar"),
                "-Dotel.javaagent.extensions="
                        + home.resolve("integrations/opentelemetry/target/threadclock-opentelemetry-extension.jar"),
                "-Dotel.instrumentation.common.default-enabled=false",
                "-Dotel.instrumentation.opentelemetry-api.enabled=true",
                "-Dotel.traces.exporter=none",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none",
                "-Dthreadclock.spans.enabled=" + isMeasured);
    }

    @Benchmark
    public void span() {
        Span span = tracer.spanBuilder("span").startSpan();
        span.makeCurrent().close();
        span.end();
    }

    @Benchmark
    public void furtherScope() {
        open.makeCurrent().close();
    }

    /** The extension loads the native library for the first span that it measures. */
    @TearDown
    public void check() throws IOException {
        boolean isLoaded = Files.readString(Path.of("/proc/self/maps")).contains("libthreadclock");
        if (isLoaded == clock.equals("stock")) {
            throw new IllegalStateException("Measuring spans, " + clock + ": libthreadclock.so is loaded: " + isLoaded);
        }
    }
}
