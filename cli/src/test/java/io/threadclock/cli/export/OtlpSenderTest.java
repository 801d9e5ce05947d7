// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.resources.Resource;
import io.threadclock.cli.process.OverFakeProc;
import io.threadclock.cli.threads.MadeUp;
import io.threadclock.cli.threads.ThreadReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class OtlpSenderTest extends OverFakeProc {
    private static final String UID = "01234567-89ab-cdef-0123-456789abcdef";

    private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private HttpServer collector;
    private int status = 200;
    private Exporter exporter;

    @BeforeEach
    void begin() throws Exception {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/elsewhere") ? 200 : status, -1);
            exchange.close();
        });
        collector.start();
        exporter = exporterOfOne();
    }

    private Exporter exporterOfOne() throws InterruptedException {
        fake.write("77/cgroup", "0::/kubepods/pod" + UID + "/" + "c".repeat(64) + "\n");
        ThreadReader reader = () ->
                MadeUp.snapshot(1000, 1, MadeUp.waited(7, 1, MadeUp.thread(1, 5, "http-1", 3 * MadeUp.S, MadeUp.S)));
        Exporter one = new Exporter(
                new Exporter.Readers(target -> reader, null),
                Duration.ofMillis(1),
                new Exporter.Log(line -> {}, said::add));
        one.runAll(
                () -> {
                    if (one.look().stream().anyMatch(jvm -> jvm.figures().size() > 1)) {
                        one.stop();
                    }
                    return Map.of(77, 4711L);
                },
                pid -> fake.target(),
                target -> true);
        return one;
    }

    @AfterEach
    void end() {
        exporter.close();
        collector.stop(0);
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/metrics");
    }

    private static Map<String, Object> attributes(Resource of) {
        Map<String, Object> all = new HashMap<>();
        of.getAttributes().forEach((key, value) -> all.put(key.getKey(), value));
        return all;
    }

    @Test
    void eachJvmIsAResourceWithTheNamesUnitsAndAttributesOfTheExtension() {
        try (OtlpSender sender = new OtlpSender(url(), exporter, said::add)) {
            Collection<MetricData> all = sender.metrics(Resource.getDefault());
            Map<String, MetricData> metrics =
                    all.stream().collect(Collectors.toMap(MetricData::getName, metric -> metric));
            MetricData cpu = metrics.get("threadclock.pool.cpu.time");
            assertThat(cpu.getUnit()).isEqualTo("s");
            assertThat(cpu.getDoubleSumData().isMonotonic()).isTrue();
            assertThat(cpu.getDoubleSumData().getPoints())
                    .filteredOn(point -> "user".equals(text(point, "cpu.mode")))
                    .singleElement()
                    .satisfies(point -> assertThat(point.getValue()).isEqualTo(3))
                    .satisfies(point ->
                            assertThat(text(point, "threadclock.pool.name")).isEqualTo("http-*"));
            assertThat(metrics.get("threadclock.pool.threads").getLongSumData().isMonotonic())
                    .isFalse();
            assertThat(metrics.get("threadclock.pool.threads").getUnit()).isEqualTo("{thread}");
            assertThat(metrics).containsKeys("threadclock.pool.run_delay", "threadclock.jvm.read");
            assertThat(cpu.getInstrumentationScopeInfo().getName()).isEqualTo("io.threadclock");
            assertThat(attributes(cpu.getResource()))
                    .contains(
                            entry("service.name", "app.jar"),
                            entry("process.pid", 77L),
                            entry("container.id", "c".repeat(64)),
                            entry("k8s.pod.uid", UID))
                    .containsKeys("service.instance.id", "host.name");
        }
    }

    private static String text(PointData point, String key) {
        return point.getAttributes().get(AttributeKey.stringKey(key));
    }

    @Test
    void whatIsNotSentYetIsSentAtTheEnd() {
        new OtlpSender(url(), exporter, said::add).close();
        assertThat(bodies)
                .singleElement()
                .asString()
                .contains("threadclock.pool.cpu.time", "threadclock.pool.name", "app.jar");
        assertThat(said).isEmpty();
    }

    /** Following a redirect would ask there without the metrics. */
    @ParameterizedTest
    @ValueSource(ints = {302, 307, 400})
    void aCollectorThatRefusesOrIsElsewhereIsSaidAndNobodyElseIsAsked(int answer) {
        status = answer;
        new OtlpSender(url(), exporter, said::add).close();
        assertThat(said)
                .singleElement()
                .asString()
                .startsWith("sending metrics to " + url() + ": ")
                .contains(Integer.toString(answer));
        assertThat(asked).containsOnly("/v1/metrics");
    }
}
