// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Clock;
import io.micrometer.influx.InfluxMeterRegistry;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadsSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends the meters to a database and a collector, which read back what pools, the process and the clock have. */
class RegistriesIT {
    private final String thread = Thread.currentThread().getName();

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        Burning.cpu(50_000_000);
    }

    /** By Influx's line protocol to a real QuestDB, which is asked by SQL. */
    @Test
    @Tag("server")
    void carryPoolsProcessAndHealthIntoQuestDb(@TempDir Path folder) throws Exception {
        try (QuestDb db = new QuestDb(folder);
                ThreadClockMetrics metrics = new ThreadClockMetrics()) {
            // The server makes a table for each meter; on a slow disk that takes longer than the default of 10 s.
            Map<String, String> settings = Map.of(
                    "influx.uri", db.address(),
                    "influx.readTimeout", "120s",
                    "influx.autoCreateDb", "false",
                    "influx.step", "1h");
            InfluxMeterRegistry registry = new InfluxMeterRegistry(settings::get, Clock.SYSTEM);
            metrics.bindTo(registry);
            double ownSeconds = ThreadClock.cpuTimeNs() / 1e9;
            registry.close(); // which publishes
            db.awaitTable("threadclock_pool_cpu_time");
            JsonNode own = db.ask("select mode, metric_type, sum(value) from threadclock_pool_cpu_time where pool = '"
                    + thread + "' order by mode");
            assertThat(own).as("rows of this thread: system and user").hasSize(2);
            assertThat(own.at("/0/1").asText()).isEqualTo("counter");
            assertThat(own.at("/0/2").asDouble() + own.at("/1/2").asDouble())
                    .as("CPU s of this thread, in the step that was published")
                    .isBetween(ownSeconds - 0.2, ownSeconds + 1); // a snapshot may be 100 ms old
            assertThat(db.ask(Shipped.blocks("sql").get(0)))
                    .as("rows of the page's query")
                    .isNotEmpty();
            db.awaitTable("threadclock_source");
            assertThat(db.ask("select source from threadclock_source where value = 1")
                            .at("/0/0")
                            .asText())
                    .isEqualTo(ThreadClock.source().name().toLowerCase(Locale.ROOT));
        }
    }

    /** By OpenTelemetry's protocol. */
    @Test
    void carryPoolsProcessAndHealthToACollector() throws Exception {
        BlockingQueue<ExportMetricsServiceRequest> requests = new LinkedBlockingQueue<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/metrics", exchange -> requests.add(received(exchange)));
        collector.start();
        String address = "http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/metrics";
        double beforeSeconds = ownSecondsAsOthersReadThem();
        double ownSeconds;
        try (ThreadClockMetrics metrics = new ThreadClockMetrics()) {
            OtlpMeterRegistry registry =
                    new OtlpMeterRegistry(key -> key.equals("otlp.url") ? address : null, Clock.SYSTEM);
            metrics.bindTo(registry);
            registry.close(); // which publishes
            ownSeconds = ThreadClock.cpuTimeNs() / 1e9;
        } finally {
            collector.stop(0);
        }
        Map<String, Metric> received = metricsOf(requests.poll(2, TimeUnit.MINUTES));
        Metric pools = received.get("threadclock.pool.cpu.time");
        assertThat(pools.getUnit()).isEqualTo("seconds");
        assertThat(pools.getSum().getIsMonotonic()).as("is a counter").isTrue();
        assertThat(pools.getSum().getAggregationTemporality())
                .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        double seconds = pools.getSum().getDataPointsList().stream()
                .filter(point -> point.getAttributesList().stream()
                        .anyMatch(tag -> tag.getValue().getStringValue().equals(thread)))
                .mapToDouble(point -> point.getAsDouble())
                .sum();
        assertThat(seconds).as("CPU s of this thread").isBetween(beforeSeconds, ownSeconds);
        assertThat(received)
                .containsKeys(
                        "threadclock.pool.threads",
                        "threadclock.process.cpu.time",
                        "threadclock.source",
                        "threadclock.resyncs",
                        "threadclock.demotions");
    }

    /** The thread that takes the snapshot may be another. */
    private static double ownSecondsAsOthersReadThem() throws Exception {
        long id = Thread.currentThread().getId();
        ThreadsSnapshot threads =
                CompletableFuture.supplyAsync(ThreadsSnapshot::take).get();
        return threads.thread(id).orElseThrow().cpuTimeNs() / 1e9;
    }

    private static ExportMetricsServiceRequest received(HttpExchange exchange) throws IOException {
        ExportMetricsServiceRequest request = ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody());
        exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
        return request;
    }

    private static Map<String, Metric> metricsOf(ExportMetricsServiceRequest request) {
        assertThat(request).as("request within 2 minutes").isNotNull();
        return request.getResourceMetrics(0).getScopeMetrics(0).getMetricsList().stream()
                .collect(Collectors.toMap(Metric::getName, Function.identity()));
    }
}
