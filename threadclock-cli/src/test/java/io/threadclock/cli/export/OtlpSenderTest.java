// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpSenderTest {
    private final List<String> bodies = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private HttpServer collector;
    private int status = 200;

    @BeforeEach
    void listen() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/metrics", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void end() {
        collector.stop(0);
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/metrics");
    }

    /** A registry sends what it has when it is closed. */
    @Test
    void whatTheRegistryHasIsSent() {
        OtlpMeterRegistry registry = OtlpSender.registry(url(), said::add);
        registry.counter("threadclock.pool.cpu.time", "jvm", "orders.jar").increment();
        registry.close();
        assertThat(bodies)
                .singleElement()
                .asString()
                .contains("threadclock.pool.cpu.time")
                .contains("orders.jar");
        assertThat(said).isEmpty();
    }

    /** Following a redirect would ask there without the metrics. */
    @ParameterizedTest
    @ValueSource(ints = {302, 503})
    void aCollectorThatRefusesOrIsElsewhereIsSaid(int answer) {
        status = answer;
        collector.createContext("/elsewhere", exchange -> exchange.sendResponseHeaders(200, -1));
        OtlpMeterRegistry registry = OtlpSender.registry(url(), said::add);
        registry.counter("any").increment();
        registry.close();
        assertThat(said)
                .singleElement()
                .asString()
                .startsWith("sending metrics to " + url() + ": ")
                .contains(Integer.toString(answer));
    }
}
