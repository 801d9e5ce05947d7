// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A span under OpenTelemetry's agent with this project's extension, which is switched off where the clock is stock. */
@Warmup(iterations = 12, time = 200, timeUnit = TimeUnit.MILLISECONDS) // it is a long way through the agent
@Measurement(iterations = 11, time = 50, timeUnit = TimeUnit.MILLISECONDS)
public class OneSpan extends Measured {
    private final Tracer tracer = GlobalOpenTelemetry.getTracer("spans");
    private final Span open = tracer.spanBuilder("open").startSpan();
    private HttpServer server;
    private URL url;

    /** Without what the agent does to other classes, which takes long and has no part in a span. */
    static List<String> jvmOptions(boolean isMeasured) {
        Path home = Options.home();
        return List.of(
                "-javaagent:" + home.resolve("bench/target/agents/opentelemetry-javaagent.jar"),
                "-Dotel.javaagent.extensions="
                        + home.resolve("integrations/opentelemetry/target/threadclock-opentelemetry-extension.jar"),
                "-Dotel.instrumentation.common.default-enabled=false",
                "-Dotel.instrumentation.opentelemetry-api.enabled=true",
                "-Dotel.instrumentation.java-http-server.enabled=true",
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

    /** Starts a server, for whose requests the agent makes spans. */
    @Setup
    public void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> exchange.sendResponseHeaders(204, -1));
        server.start();
        url = new URL("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Until the answer is here, on a connection that stays open. */
    @Benchmark
    @Warmup(iterations = 12, time = 500, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 11, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public int request() throws IOException {
        return ((HttpURLConnection) url.openConnection()).getResponseCode();
    }

    /** The extension loads the native library for the first span that it measures. */
    @TearDown
    public void check() throws IOException {
        server.stop(0);
        boolean isLoaded = Files.readString(Path.of("/proc/self/maps")).contains("libthreadclock");
        if (isLoaded == clock.equals("stock")) {
            throw new IllegalStateException("Measuring spans, " + clock + ": libthreadclock.so is loaded: " + isLoaded);
        }
    }
}
