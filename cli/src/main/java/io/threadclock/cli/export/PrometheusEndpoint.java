// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.threadclock.cli.process.Refusal;
import io.threadclock.recorder.ServerAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.Executors;

/** Serves metrics at {@code /metrics}, for Prometheus and others that scrape. */
public final class PrometheusEndpoint implements AutoCloseable {
    /**
     * A client that sends half a request keeps a thread for the first of these times; one that reads no answer, for the
     * second.
     */
    private static final int THREADS = 50;

    private static final Map<String, Integer> LIMITS = Map.of(
            "sun.net.httpserver.maxReqTime",
            5, // s
            "sun.net.httpserver.maxRspTime",
            30, // s
            "sun.net.httpserver.maxIdleConnections",
            THREADS,
            "jdk.httpserver.maxConnections",
            10 * THREADS);

    static { // the JDK reads them when its first server is made; a user may have given others
        LIMITS.forEach((property, most) -> System.getProperties().putIfAbsent(property, Integer.toString(most)));
    }

    private final HTTPServer server;
    private final String url;

    /** @throws Refusal if the address is taken, or is none of this machine's */
    public PrometheusEndpoint(InetSocketAddress address, Exporter exporter) {
        this(address, new PrometheusPage(exporter));
    }

    PrometheusEndpoint(InetSocketAddress address, MultiCollector page) {
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(page);
        try {
            server = HTTPServer.builder()
                    .inetAddress(address.getAddress())
                    .port(address.getPort())
                    .registry(registry)
                    .executorService(Executors.newFixedThreadPool(THREADS))
                    .authenticator(new KnownHosts(address.getAddress()))
                    .buildAndStart();
        } catch (IOException refused) {
            throw new Refusal(
                    "listening at " + address.getHostString() + ":" + address.getPort(),
                    "it cannot be listened at: " + refused.getMessage(),
                    "Give another one: --prometheus=[HOST:]PORT.");
        }
        url = "http://" + address.getHostString() + ":" + server.getPort() + "/metrics";
    }

    /** The address that Prometheus scrapes. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        server.close();
    }

    /**
     * At a loopback address, refuses requests that name another host: a web page whose name was bound anew to this
     * machine (DNS rebinding) would read what its users' browsers may read.
     */
    private static final class KnownHosts extends Authenticator {
        private static final int FORBIDDEN = 403;

        private final InetAddress address;

        KnownHosts(InetAddress address) {
            this.address = address;
        }

        @Override
        public Result authenticate(HttpExchange exchange) {
            String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"))
                    .replaceFirst(":\\d+$", "");
            boolean isKnown = !address.isLoopbackAddress() || ServerAddress.isLoopback(host);
            return isKnown ? new Success(new HttpPrincipal("scraper", "threadclock")) : new Failure(FORBIDDEN);
        }
    }
}
