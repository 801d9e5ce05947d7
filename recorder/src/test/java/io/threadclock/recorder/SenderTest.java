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
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with a real QuestDB, and with servers that behave badly. */
@Timeout(600)
class SenderTest {
    private static final List<Sample.PoolTimes> POOLS = List.of(
            new Sample.PoolTimes(Sample.PoolTimes.REST, "(carriers' rest)", 0, 0, 10, 1),
            new Sample.PoolTimes(2, "handler-*", 3, 7, 100, 10));
    private static final long SECOND_US = 1_000_000;

    private static final long HOUR_MS = 3_600_000;
    private static final Gap GAP = new Gap(
            new JvmName("a,b", "it's = \"x\"\n", 1, 1), MadeUp.BEGIN_US, MadeUp.BEGIN_US + 5, Gap.Reason.LATE, 3);

    private final FakeTime time = new FakeTime();
    private final FakeServer server = new FakeServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Tag("long")
    @Test
    void whatIsSentIsInAQuestDbOnceHoweverOftenItIsSent() throws Exception {
        try (Console questDb = Console.scratch()) {
            for (int times = 0; times < 2; times++) {
                Sender sender = sendTo(questDb);
                for (int i = 0; i < 20; i++) {
                    Sample sample = MadeUp.sample(MadeUp.BEGIN_US + i * SECOND_US, SECOND_US, 5, i == 0);
                    sender.put(MadeUp.withPools(sample, POOLS));
                }
                sender.put(GAP);
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
            Sender sender = sendTo(questDb);
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
        Sender sender = closed(senderOf(400, 200, "buffer_mb=1;"));
        sender.deliver();
        assertThat(time.ms()).as("ms that it tries at its end").isBetween(10_000L, 15_000L);
        assertThat(sender.status()).isEqualTo("0 sent, 400 LOST");
        assertThat(sender.trouble())
                .contains("does not take samples (it cannot be connected to): 0 wait, 400 are lost");
        assertThat(sender.loss().orElseThrow())
                .hasMessageMatching(
                        "writing to http://127.0.0.1:\\d+: 400 samples are lost, [1-9]\\d* of them as the buffer was full,"
                                + " [1-9]\\d* as it did not take them at the end; last: it cannot be connected to\\. Start it,.*");
    }

    @Test
    void triesLessAndLessOftenAndAtOnceWhenTheServerIsBack() {
        Sender sender = senderOf(1, 2, "");
        time.onPause(() -> {
            if (time.pausesMs.size() == 9) {
                server.start(exchange -> FakeServer.TAKEN);
                sender.close();
            }
        });
        sender.deliver();
        // The first is the time that samples are collected.
        assertThat(time.pausesMs).containsExactly(1L, 100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L);
        assertThat(server.lines(TableSchema.SAMPLES)).isEqualTo(2);
        assertThat(sender.lostSamples()).isZero();
    }

    @Test
    void triesAgainWhatTheServerCannotTakeNowAndSaysWhoItIs() {
        int[] answers = {500, 503, 429, 408, FakeServer.TAKEN};
        server.start(
                exchange -> "Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                        ? answers[server.asked.get() - 1]
                        : 400);
        Sender sender = closed(senderOf(1, 2, "token=secret;"));
        sender.deliver();
        assertThat(server.asked).hasValue(answers.length);
        assertThat(sender.trouble()).isEmpty();
        assertThat(sender.loss()).isEmpty();
        assertThat(sender.status()).isEqualTo("1 sent");
        assertThat(sender.bytes()).isEqualTo(server.received().length());
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308, 400})
    void endsWhereTheServerWillNeverTakeItAndTellsNobodyElseThePassword(int status) {
        List<String> told = new ArrayList<>();
        try (FakeServer elsewhere = new FakeServer()) {
            elsewhere.start(exchange -> {
                told.add(exchange.getRequestHeaders().getFirst("Authorization"));
                return FakeServer.TAKEN;
            });
            String place = elsewhere.address("").server() + "/write";
            server.start(exchange -> {
                exchange.getResponseHeaders().set("Location", place);
                return status;
            });
            Sender sender = closed(senderOf(4, 2, "token=secret;"));
            sender.deliver();
            assertThat(server.asked).hasValue(1);
            MadeUp.refused(
                    () -> sender.put(MadeUp.sample(MadeUp.BEGIN_US, SECOND_US, 2, false)),
                    "HTTP " + status + " to " + place,
                    status < 400 ? "" : "{\"message\":\"not of this kind\"}",
                    "Correct --to");
            assertThat(sender.loss().orElseThrow()).hasMessageContaining("HTTP " + status);
            assertThat(told).as("secrets told elsewhere").isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 407})
    void triesAgainForAMinuteWhereItIsLockedOutFromTheBegin(int status) {
        server.start(exchange -> status);
        Sender sender = senderOf(4, 2, "");
        sender.deliver();
        assertThatThrownBy(() -> sender.put(GAP)).hasMessageContaining(": HTTP " + status);
        assertThat(time.ms()).as("ms until it gives up").isBetween(60_000L, 70_000L);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 407})
    void triesAgainForAnHourWhereItWasLetInBefore(int status) {
        Sender sender = senderOf(1, 2, "");
        server.start(exchange -> {
            if (server.asked.get() == 1) {
                sender.put(MadeUp.sample(MadeUp.BEGIN_US + SECOND_US, SECOND_US, 2, false));
                return FakeServer.TAKEN;
            }
            return time.ms() < HOUR_MS ? status : FakeServer.TAKEN;
        });
        time.onPause(() -> {
            if (time.ms() >= HOUR_MS) {
                sender.close();
            }
        });
        sender.deliver();
        assertThat(sender.trouble()).isEmpty();
        assertThat(server.lines(TableSchema.PROCESSES))
                .as("samples that arrive")
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"401, 2", "503, 0"})
    void makesTheTablesOnceItIsLetInAndWritesBeforeWithoutAccessAlone(int tablesAnswer, int writesBefore) {
        server.start(exchange -> server.asked.get() < 3 && writesBefore > 0 ? 401 : FakeServer.TAKEN);
        server.tablesAnswer(tablesAnswer);
        Sender sender = senderOf(1, 2, "");
        time.onPause(() -> {
            if (time.pausesMs.size() == 3) {
                assertThat(server.asked)
                        .as("requests to write before there are tables")
                        .hasValue(writesBefore);
                server.tablesAnswer(200);
                sender.close();
            }
        });
        sender.deliver();
        assertThat(server.lines(TableSchema.SAMPLES)).isEqualTo(2);
        assertThat(server.tables).as("tables and views that are made").hasValue(TableSchema.ALL.size() + 1);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {FakeServer.NEVER, FakeServer.NEVER_WHOLE})
    void waitsForNoAnswerForEver(int firstAnswer) {
        server.start(exchange -> server.asked.get() == 1 ? firstAnswer : FakeServer.TAKEN);
        Sender sender = closed(senderOf(1, 2, "request_timeout=1000;"));
        sender.deliver();
        assertThat(server.asked.get())
                .as("requests; on a busy machine an answer may come too late, too")
                .isGreaterThan(1);
        assertThat(sender.status()).isEqualTo("1 sent");
    }

    @Test
    void tellsOfWhatWasDroppedOnceTheServerIsBackAndWhoTheThreadsAre() {
        int samples = 400;
        int threads = 200;
        server.start(exchange -> FakeServer.TAKEN);
        Sender sender = closed(senderOf(samples, threads, "buffer_mb=1;"));
        sender.deliver();
        long dropped = sender.lostSamples();
        assertThat(dropped).as("samples for which there is no room").isBetween(1L, samples - 1L);
        long endUs = MadeUp.BEGIN_US + (dropped - 1) * SECOND_US;
        assertThat(server.received())
                .contains("reason=overflow until=" + endUs + "t,lost_samples=" + dropped + "i "
                        + (MadeUp.BEGIN_US - SECOND_US) + "000\n");
        assertThat(sender.status()).isEqualTo(samples - dropped + " sent, " + dropped + " LOST");
        assertThat(server.lines(TableSchema.PROCESSES))
                .as("samples that arrive")
                .isEqualTo(samples - dropped);
        assertThat(server.lines(TableSchema.THREADS))
                .as("names, which the first sample had")
                .isEqualTo(threads);
    }

    /** This test's thread delivers, in fake time. */
    private Sender senderOf(int samples, int threads, String more) {
        Sender sender = new Sender(server.address(more), time);
        for (int i = 0; i < samples; i++) {
            sender.put(MadeUp.sample(MadeUp.BEGIN_US + i * SECOND_US, SECOND_US, threads, i == 0));
        }
        return sender;
    }

    private static Sender closed(Sender sender) {
        sender.close();
        return sender;
    }

    /**
     * At its end it waits for as long as an answer may take; a real server beside others may need that for its tables.
     */
    private static Sender sendTo(Console questDb) {
        String address = "http::addr=127.0.0.1:" + questDb.port() + ";auto_flush_interval=1;request_timeout=120000;";
        return Sender.to(ServerAddress.parse(address, Map.of()));
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
