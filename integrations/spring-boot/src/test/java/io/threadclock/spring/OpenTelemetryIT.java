// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.trace.v1.Span;
import io.threadclock.ThreadClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a server under OpenTelemetry's agent with threadclock's jar for it, and is the collector that the agent sends
 * to.
 */
@Tag("server")
class OpenTelemetryIT {
    private static final Path BUILT = Path.of("../opentelemetry/target").toAbsolutePath();
    private static final Path NATIVE_AGENT =
            Path.of("../../native/build/libthreadclock.so").toAbsolutePath();
    private static final int WAIT_S = 120;

    /** Metrics are sent twice a second. */
    private static final int METRICS_MAX = 2 * WAIT_S;

    private final BlockingQueue<Span> spans = new LinkedBlockingQueue<>();
    private final BlockingQueue<Metric> metrics = new LinkedBlockingQueue<>();

    @TempDir
    private Path folder;

    private Path output;
    private HttpServer collector;
    private Process server;

    @BeforeEach
    void startCollector() throws IOException {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        output = folder.resolve("output");
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receive("/v1/traces", body -> ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().stream()
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .forEach(scope -> spans.addAll(scope.getSpansList())));
        receive("/v1/metrics", body -> ExportMetricsServiceRequest.parseFrom(body).getResourceMetricsList().stream()
                .flatMap(resource -> resource.getScopeMetricsList().stream())
                .forEach(scope -> metrics.addAll(scope.getMetricsList())));
        collector.start();
    }

    private interface Receiver {
        void accept(byte[] body) throws InvalidProtocolBufferException;
    }

    private void receive(String path, Receiver receiver) {
        collector.createContext(path, exchange -> {
            receiver.accept(exchange.getRequestBody().readAllBytes());
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
    }

    @AfterEach
    void end() {
        if (server != null) {
            server.destroyForcibly();
        }
        if (collector != null) {
            collector.stop(0);
        }
    }

    /** Starts the server, which orders once. */
    private void order(String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-javaagent:" + BUILT.resolve("agents/opentelemetry-javaagent.jar"));
        command.add("-Dotel.javaagent.extensions=" + BUILT.resolve("threadclock-opentelemetry-extension.jar"));
        command.add("-Dotel.exporter.otlp.endpoint=http://127.0.0.1:"
                + collector.getAddress().getPort());
        command.addAll(List.of("-Dotel.logs.exporter=none", "-Dotel.bsp.schedule.delay=100"));
        command.addAll(List.of("-Dotel.metric.export.interval=500", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Shop.class.getName()));
        server = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    private <T> T taken(BlockingQueue<T> queue) throws Exception {
        T next = queue.poll(WAIT_S, TimeUnit.SECONDS);
        assertThat(next)
                .as("sent within %d s, by what said%n%s", WAIT_S, Files.readString(output))
                .isNotNull();
        return next;
    }

    private Map<String, Long> costOfOrder() throws Exception {
        Span span = taken(spans);
        while (!span.getName().equals("GET /orders")) {
            span = taken(spans);
        }
        return span.getAttributesList().stream()
                .filter(attribute -> attribute.getKey().startsWith("threadclock."))
                .collect(Collectors.toMap(
                        KeyValue::getKey, attribute -> attribute.getValue().getIntValue()));
    }

    private double secondsOfTomcatsPool() throws Exception {
        Metric metric = taken(metrics);
        while (!metric.getName().equals("threadclock.pool.cpu.time")) {
            metric = taken(metrics);
        }
        return metric.getSum().getDataPointsList().stream()
                .filter(point -> point.getAttributesList().stream()
                        .anyMatch(attribute -> attribute.getKey().equals("threadclock.pool.name")
                                && attribute.getValue().getStringValue().matches("http-nio-.*exec-\\*")))
                .mapToDouble(NumberDataPoint::getAsDouble)
                .sum();
    }

    @Test
    void aCollectorGetsTheCostOfARequestAndOfItsPool() throws Exception {
        order();
        Map<String, Long> cost = costOfOrder();
        assertThat(cost.get("threadclock.cpu.time")).isGreaterThanOrEqualTo(StarterIT.ORDER_NS);
        assertThat(cost.get("threadclock.cpu.user_time") + cost.get("threadclock.cpu.system_time"))
                .isEqualTo(cost.get("threadclock.cpu.time"));
        double seconds = 0;
        for (int sent = 0; sent < METRICS_MAX && seconds < StarterIT.ORDER_NS / 1e9; sent++) {
            seconds = secondsOfTomcatsPool();
        }
        assertThat(seconds).as("CPU s of Tomcat's pool").isBetween(StarterIT.ORDER_NS / 1e9, (double) WAIT_S);
    }

    @Test
    void aCollectorGetsTheCostOfARequestInAVirtualThread() throws Exception {
        assumeThat(Runtime.version().feature())
                .as("a Java with virtual threads")
                .isGreaterThanOrEqualTo(21);
        order("-agentpath:" + NATIVE_AGENT + "=virtual", "-Dspring.threads.virtual.enabled=true");
        assertThat(costOfOrder().get("threadclock.cpu.time")).isGreaterThanOrEqualTo(StarterIT.ORDER_NS);
    }

    /** The server. It serves until it is killed. */
    static final class Shop {
        private Shop() {}

        public static void main(String[] arguments) throws Exception {
            StarterIT shop = new StarterIT();
            shop.start(arguments);
            shop.answer("/orders");
        }
    }
}
