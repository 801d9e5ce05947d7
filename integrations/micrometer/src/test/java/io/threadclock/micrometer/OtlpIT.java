// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Clock;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadsSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sends the meters by the OpenTelemetry protocol, as a collector gets them. */
class OtlpIT {
    private final BlockingQueue<ExportMetricsServiceRequest> requests = new LinkedBlockingQueue<>();
    private HttpServer collector;

    @BeforeEach
    void start() throws IOException {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/metrics", this::receive);
        collector.start();
    }

    @AfterEach
    void stop() {
        if (collector != null) {
            collector.stop(0);
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        requests.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
        exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    @Test
    void carriesPoolsProcessAndHealthToACollector() throws Exception {
        Burning.cpu(50_000_000);
        long id = Thread.currentThread().getId();
        // As others read it, because the thread that takes the snapshot may be another.
        double beforeSeconds = CompletableFuture.supplyAsync(ThreadsSnapshot::take)
                        .get()
                        .thread(id)
                        .orElseThrow()
                        .cpuTimeNs()
                / 1e9;
        double ownSeconds;
        try (ThreadClockMetrics metrics = new ThreadClockMetrics()) {
            OtlpMeterRegistry registry = new OtlpMeterRegistry(configuration(), Clock.SYSTEM);
            metrics.bindTo(registry);
            registry.close(); // which publishes
            ownSeconds = ThreadClock.cpuTimeNs() / 1e9;
        }
        Map<String, Metric> received = metricsOf(requests.poll(2, TimeUnit.MINUTES));
        Metric pools = received.get("threadclock.pool.cpu.time");
        assertThat(pools.getUnit()).isEqualTo("seconds");
        assertThat(pools.getSum().getIsMonotonic()).as("is a counter").isTrue();
        assertThat(pools.getSum().getAggregationTemporality())
                .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
        double seconds = pools.getSum().getDataPointsList().stream()
                .filter(point ->
                        tags(point).get("pool").equals(Thread.currentThread().getName()))
                .mapToDouble(NumberDataPoint::getAsDouble)
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

    private static Map<String, Metric> metricsOf(ExportMetricsServiceRequest request) {
        assertThat(request).as("request within 2 minutes").isNotNull();
        List<Metric> metrics = request.getResourceMetrics(0).getScopeMetrics(0).getMetricsList();
        return metrics.stream().collect(Collectors.toMap(Metric::getName, metric -> metric));
    }

    private static Map<String, String> tags(NumberDataPoint point) {
        return point.getAttributesList().stream().collect(Collectors.toMap(KeyValue::getKey, tag -> tag.getValue()
                .getStringValue()));
    }

    private OtlpConfig configuration() {
        return new OtlpConfig() {
            @Override
            public String get(String key) {
                return null;
            }

            @Override
            public String url() {
                return "http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/metrics";
            }
        };
    }
}
