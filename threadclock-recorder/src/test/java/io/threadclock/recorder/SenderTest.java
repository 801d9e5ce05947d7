// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.questdb.ServerMain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real QuestDB, and a server that behaves badly. */
@Timeout(60)
class SenderTest {
    private static final long SECOND_US = 1_000_000;
    private static final Pattern LOST = Pattern.compile("reason=overflow .*lost_samples=(\\d+)i");

    private final StringBuffer received = new StringBuffer();

    @Test
    void whatIsSentIsInAQuestDbOnceHoweverOftenItIsSent(@TempDir Path directory) throws Exception {
        try (ServerMain server = questDb(directory)) {
            String address = "http::addr=127.0.0.1:" + server.getHttpServerPort() + ";";
            for (int times = 0; times < 2; times++) {
                Sender sender = Sender.to(Address.parse(address));
                for (int i = 0; i < 20; i++) {
                    sender.put(MadeUp.sample(MadeUp.BEGIN_US + i * SECOND_US, SECOND_US, 5, i == 0));
                }
                sender.put(new Gap(new JvmName("a,b", "it's = \"x\"", 1, 1), MadeUp.BEGIN_US, MadeUp.BEGIN_US + 5, Gap.Reason.LATE, 3));
                sender.close();
                assertThat(sender.lostSamples()).as(sender.status()).isZero();
            }
            for (Table table : Table.values()) {
                server.awaitTable("threadclock_" + table);
            }
            assertThat(ask(server, "select count(), sum(user_ns) from threadclock_samples")).isEqualTo("[100,300000]");
            assertThat(ask(server, "select count(), sum(system_ns) from threadclock_processes")).isEqualTo("[20,30000]");
            assertThat(ask(server, "select name, pool, kind from threadclock_threads where tid = 4712"))
                    .isEqualTo("[\"worker-1\",\"worker-*\",\"java\"]");
            assertThat(ask(server, "select jvm, lost_samples from threadclock_gaps"))
                    .isEqualTo("[\"a,b/it's = \\\"x\\\"/1-1\",3]");
        }
    }

    @Test
    void triesAgainUntilTheServerTakesIt() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        HttpServer server = server(0, exchange -> asked.incrementAndGet() <= 3 ? 503 : 204);
        Sender sender = Sender.to(addressOf(server, ""));
        sender.put(MadeUp.sample(MadeUp.BEGIN_US, SECOND_US, 2, false));
        sender.close();
        server.stop(0);
        assertThat(sender.lostSamples()).isZero();
        assertThat(received.toString().lines().filter(line -> line.startsWith("threadclock_samples")).count())
                .as("lines that the server has taken")
                .isEqualTo(2);
    }

    @Test
    void aFullBufferDropsTheOldestAndSaysHowMany() throws IOException, InterruptedException {
        int port = freePort();
        int samples = 400;
        Sender sender = Sender.to(Address.parse("http::addr=127.0.0.1:" + port + ";buffer_mb=1;"));
        for (int i = 0; i < samples; i++) {
            sender.put(MadeUp.sample(MadeUp.BEGIN_US + i * SECOND_US, SECOND_US, 200, false));
        }
        assertThat(sender.status()).contains("DROPPED as the buffer was full");
        HttpServer server = server(port, exchange -> 204);
        sender.close();
        server.stop(0);
        Matcher gap = LOST.matcher(received);
        long told = 0;
        while (gap.find()) {
            told += Long.parseLong(gap.group(1));
        }
        long arrived = received.toString().lines().filter(line -> line.startsWith("threadclock_processes")).count();
        assertThat(told).as("samples told to be lost").isPositive().isEqualTo(sender.lostSamples());
        assertThat(arrived + told).as("samples that arrived, and that were told to be lost").isEqualTo(samples);
    }

    @Test
    void whatTheServerWillNeverTakeIsAFailure() throws Exception {
        HttpServer server = server(0, exchange -> 400);
        Sender sender = Sender.to(addressOf(server, ""));
        assertThatThrownBy(() -> {
                    for (;;) {
                        sender.put(MadeUp.sample(MadeUp.BEGIN_US, SECOND_US, 2, false));
                        Thread.onSpinWait();
                    }
                })
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("HTTP 400");
        sender.close();
        server.stop(0);
    }

    @Test
    void saysWhoItIs() throws IOException {
        HttpServer server = server(0, exchange ->
                "Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization")) ? 204 : 401);
        Sender sender = Sender.to(addressOf(server, "token=secret;"));
        sender.put(MadeUp.sample(MadeUp.BEGIN_US, SECOND_US, 2, false));
        sender.close();
        server.stop(0);
        assertThat(sender.lostSamples()).isZero();
        assertThat(sender.status()).doesNotContain("secret");
    }

    private interface Status {
        int of(HttpExchange exchange);
    }

    /** Keeps what it says yes to. */
    private HttpServer server(int port, Status status) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/exec", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.createContext("/write", exchange -> {
            String lines = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            int answer = status.of(exchange);
            if (answer == 204) {
                received.append(lines);
            }
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static Address addressOf(HttpServer server, String more) {
        return Address.parse("http::addr=127.0.0.1:" + server.getAddress().getPort() + ";" + more);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static ServerMain questDb(Path directory) throws IOException {
        Files.write(Files.createDirectories(directory.resolve("conf")).resolve("server.conf"), List.of(
                "http.bind.to=127.0.0.1:0", "http.min.enabled=false", "pg.enabled=false", "line.tcp.enabled=false",
                "telemetry.enabled=false", "telemetry.disable.completely=true", "config.reload.enabled=false",
                "http.worker.count=1", "shared.worker.count=1", "wal.apply.worker.count=1"));
        ServerMain server = ServerMain.create(directory.toString());
        server.start();
        server.awaitStartup();
        return server;
    }

    private static String ask(ServerMain server, String sql) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.getHttpServerPort() + "/exec?query=" + URLEncoder.encode(sql, StandardCharsets.UTF_8));
        String answer = HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).body();
        return answer.replaceFirst(".*\"dataset\":\\[(\\[.*\\])\\],\"count\":1.*", "$1");
    }
}
