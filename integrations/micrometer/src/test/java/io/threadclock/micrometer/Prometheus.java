// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real Prometheus in a process of its own, which scrapes one port each second and knows the alert rules. */
final class Prometheus implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String CONFIGURATION =
            """
            global:
              scrape_interval: 1s
              scrape_timeout: 1s
              evaluation_interval: 1s
            rule_files:
              - threadclock-alerts.yaml
            scrape_configs:
              - job_name: app
                static_configs:
                  - targets: ['127.0.0.1:%d']
            """;

    private final Path log;
    /** Bound, and never listening, so that the kernel gives the port to nobody else before Prometheus listens there. */
    private final Socket place;

    private final int port;
    private final Process process;

    /** Returns when it answers queries. Until then it refuses connections, or says that it is unavailable. */
    Prometheus(Path folder, int scrapedPort) throws IOException, InterruptedException {
        Path program = Executable.find("prometheus");
        Path configuration = Files.writeString(folder.resolve("prometheus.yml"), CONFIGURATION.formatted(scrapedPort));
        Shipped.copy("threadclock-alerts.yaml", folder);
        log = folder.resolve("prometheus.log");
        place = new Socket();
        place.setReuseAddress(true);
        place.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        port = place.getLocalPort();
        process = new ProcessBuilder(
                        program.toString(),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (!isReady()) {
            if (!process.isAlive() || System.nanoTime() > endNs) {
                throw new AssertionError("prometheus has ended, or is not ready: " + Files.readString(log));
            }
            TimeUnit.MILLISECONDS.sleep(20); // cannot be waited for
        }
    }

    private boolean isReady() throws IOException {
        try {
            HttpURLConnection asked = (HttpURLConnection) address("/-/ready").openConnection();
            return asked.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (ConnectException notListeningYet) {
            return false;
        }
    }

    /** One value per row of the answer; waits until there is a row with a number: a ratio may begin as 0 / 0. */
    List<Double> await(String query) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        List<Double> answer = ask(query);
        while (answer.stream().noneMatch(Double::isFinite) && System.nanoTime() < endNs) {
            TimeUnit.MILLISECONDS.sleep(100); // Prometheus cannot be waited for
            answer = ask(query);
        }
        return answer;
    }

    /** The value of the only row. */
    double one(String query) throws IOException, InterruptedException {
        List<Double> answer = await(query);
        if (answer.size() != 1) {
            throw new AssertionError("rows for " + query + ": " + answer);
        }
        return answer.get(0);
    }

    JsonNode get(String path) throws IOException {
        return Shipped.JSON.readTree(address(path).openStream()).get("data");
    }

    JsonNode query(String query) throws IOException {
        return get("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
                .get("result");
    }

    private URL address(String path) throws IOException {
        return URI.create("http://127.0.0.1:" + port + path).toURL();
    }

    private List<Double> ask(String query) throws IOException {
        List<Double> values = new ArrayList<>();
        query(query).forEach(row -> values.add(row.get("value").get(1).asDouble()));
        return values;
    }

    @Override
    public void close() throws IOException {
        place.close();
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException hurry) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
