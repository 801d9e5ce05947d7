// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests with a real QuestDB, and with a server that accepts nothing. */
@Timeout(600)
class SenderTest {
    private static final List<Sample.PoolTimes> POOLS = List.of(
            new Sample.PoolTimes(Sample.PoolTimes.REST, "(carriers' rest)", 0, 0, 10, 1),
            new Sample.PoolTimes(2, "handler-*", 3, 7, 100, 10));
    private static final long SECOND_US = 1_000_000;

    /** At its end a sender waits for as long; a real server beside others may take it to make its tables. */
    private static final String PATIENT = "request_timeout=120000;";

    private FakeServer server = new FakeServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Tag("long")
    @Test
    void whatIsSentIsInAQuestDbOnceHoweverOftenItIsSent() throws Exception {
        try (Console questDb = Console.scratch()) {
            String address = "http::addr=127.0.0.1:" + questDb.port() + ";auto_flush_interval=1;" + PATIENT;
            for (int times = 0; times < 2; times++) {
                Sender sender = Sender.to(ServerAddress.parse(address));
                for (int i = 0; i < 20; i++) {
                    Sample sample = MadeUp.sample(MadeUp.BEGIN_US + i * SECOND_US, SECOND_US, 5, i == 0);
                    sender.put(MadeUp.withPools(sample, POOLS));
                }
                sender.put(new Gap(
                        new JvmName("a,b", "it's = \"x\"\n", 1, 1),
                        MadeUp.BEGIN_US,
                        MadeUp.BEGIN_US + 5,
                        Gap.Reason.LATE,
                        3));
                sender.close();
                assertThat(sender.lostSamples()).as(sender.status()).isZero();
            }
            for (TableSchema<?> table : TableSchema.ALL) {
                questDb.awaitTable("threadclock_" + table);
            }
            assertThat(ask(questDb, "select count(), sum(user_ns) from threadclock_samples"))
                    .isEqualTo("[100,300000]");
            assertThat(ask(questDb, "select count(), sum(system_ns) from threadclock_processes"))
                    .isEqualTo("[20,30000]");
            assertThat(ask(questDb, "select name, pool, kind from threadclock_threads where tid = 4712"))
                    .isEqualTo("[\"worker-1\",\"worker-*\",\"java\"]");
            assertThat(ask(questDb, "select count(), sum(mounts) from threadclock_virtual_pools where number = 2"))
                    .isEqualTo("[20,140]");
            assertThat(ask(questDb, "select jvm, lost_samples from threadclock_gaps"))
                    .isEqualTo("[\"a,b/it's = \\\"x\\\"?/1-1\",3]");
        }
    }

    @Test
    @Tag("server")
    void namesArriveAsTheyAreButForTheirControlCharacters() throws Exception {
        try (Console questDb = Console.scratch()) {
            List<String> hostile = new ArrayList<>(MadeUp.HOSTILE_NAMES);
            hostile.add(MadeUp.TWO_LINES);
            Sender sender = Sender.to(ServerAddress.parse("http::addr=127.0.0.1:" + questDb.port() + ";" + PATIENT));
            sender.put(MadeUp.named(MadeUp.BEGIN_US, SECOND_US, hostile));
            sender.close();
            assertThat(sender.loss()).isEmpty();
            questDb.awaitTable("threadclock_threads");
            for (int i = 0; i < hostile.size(); i++) {
                String arrived = new ObjectMapper()
                        .readTree(ask(questDb, "select name from threadclock_threads where thread = " + (i + 1)))
                        .path(0)
                        .asText();
                assertThat(arrived).isEqualTo(hostile.get(i).replaceAll("\\p{Cntrl}", "?"));
            }
        }
    }

    @Test
    void saysAtTheEndWhatIsLostWhenTheServerNeverComesBack() {
        Sender sender = Sender.to(server.address("buffer_mb=1;"), new FakeTime());
        for (int i = 0; i < 400; i++) {
            sender.put(MadeUp.sample(MadeUp.BEGIN_US + i * SECOND_US, SECOND_US, 200, false));
        }
        sender.close();
        assertThat(sender.lostSamples()).isEqualTo(400);
        assertThat(sender.status()).isEqualTo("0 sent, 400 LOST");
        assertThat(sender.trouble())
                .contains("does not take samples (it cannot be connected to): 0 wait, 400 are lost");
        assertThat(sender.loss())
                .hasValueSatisfying(
                        loss -> assertThat(loss)
                                .hasMessageMatching(
                                        "writing to http://127.0.0.1:\\d+: 400 samples are lost, [1-9]\\d* of them as the buffer was full,"
                                                + " [1-9]\\d* as it did not take them at the end; last: it cannot be connected to\\. Start it,.*"));
    }

    @Test
    void endsWhenTheServerWillNeverTakeIt() {
        server.close();
        server = FakeServer.answering(exchange -> 400);
        Sender sender = Sender.to(server.address(""));
        assertThatThrownBy(() -> {
                    for (; ; ) {
                        sender.put(MadeUp.sample(MadeUp.BEGIN_US, SECOND_US, 2, false));
                        Thread.onSpinWait();
                    }
                })
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("HTTP 400");
        sender.close();
        assertThat(sender.loss())
                .hasValueSatisfying(loss ->
                        assertThat(loss).hasMessageContaining("HTTP 400").hasMessageContaining("Correct --to"));
    }

    @Test
    void saysWhoItIs() {
        server.close();
        server = FakeServer.answering(
                exchange -> "Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                        ? FakeServer.TAKEN
                        : 401);
        Sender sender = Sender.to(server.address("token=secret;"));
        sender.put(MadeUp.sample(MadeUp.BEGIN_US, SECOND_US, 2, false));
        sender.close();
        assertThat(sender.loss()).isEmpty();
        assertThat(sender.status()).isEqualTo("1 sent");
        assertThat(sender.bytes()).isEqualTo(server.received().length());
    }

    private static String ask(Console server, String sql) throws Exception {
        URI uri = URI.create(
                "http://127.0.0.1:" + server.port() + "/exec?query=" + URLEncoder.encode(sql, StandardCharsets.UTF_8));
        String answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        return answer.replaceFirst(".*\"dataset\":\\[(\\[.*\\])\\],\"count\":1.*", "$1");
    }
}
