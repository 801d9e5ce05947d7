// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests servers that behave badly. The time is fake, and the test's thread delivers. */
@Timeout(600)
class DeliveryTest {
    private static final long SECOND_US = 1_000_000;
    private static final long HOUR_MS = 3_600_000;
    private static final Pattern OVERFLOW =
            Pattern.compile("reason=overflow until=(\\d+)t,lost_samples=(\\d+)i (\\d+)");

    private final FakeTime time = new FakeTime();
    private FakeServer server = new FakeServer();
    private ServerAddress address;

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void triesLessAndLessOftenAndAtOnceWhenTheServerIsBack() throws InterruptedException {
        Outbox outbox = outboxOf(1, 2, "");
        time.onPause(() -> {
            if (time.pausesMs.size() == 9) {
                server.start();
                outbox.close();
            }
        });
        deliver(outbox);
        // The first is the time that samples are collected.
        assertThat(time.pausesMs).containsExactly(1L, 100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L);
        assertThat(server.lines(TableSchema.SAMPLES)).isEqualTo(2);
        assertThat(outbox.waiting()).isZero();
    }

    @Test
    void givesUpTenSecondsAfterItWasToldToEnd() throws InterruptedException {
        Outbox outbox = outboxOf(3, 2, "");
        outbox.close();
        Delivery delivery = deliver(outbox);
        assertThat(time.ms()).isBetween(10_000L, 15_000L);
        assertThat(outbox.waiting()).as("samples that have not arrived").isEqualTo(3);
        assertThat(outbox.sent()).isZero();
        assertThat(delivery.trouble()).isEqualTo("it cannot be connected to");
    }

    @Test
    void triesAgainWhatTheServerCannotTakeNow() throws InterruptedException {
        int[] answers = {500, 503, 429, 408, FakeServer.TAKEN};
        server.close();
        server = FakeServer.answering(exchange -> answers[server.asked.get() - 1]);
        Outbox outbox = closed(outboxOf(1, 2, ""));
        assertThat(deliver(outbox).trouble()).isEmpty();
        assertThat(server.asked).hasValue(answers.length);
        assertThat(server.lines(TableSchema.SAMPLES)).isEqualTo(2);
    }

    @Test
    void triesNeverAgainWhatTheServerWillNeverTake() throws InterruptedException {
        server.close();
        server = FakeServer.answering(exchange -> 400);
        Outbox outbox = closed(outboxOf(4, 2, ""));
        Delivery delivery = deliver(outbox);
        assertThat(server.asked).hasValue(1);
        assertThat(delivery.refusal().answer()).isEqualTo("HTTP 400 {\"message\":\"not of this kind\"}");
        assertThat(outbox.waiting()).as("samples that have not arrived").isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void takesNoRedirectForAYesNorFollowsItWithThePassword(int status) throws InterruptedException {
        List<String> told = new ArrayList<>();
        try (FakeServer elsewhere = FakeServer.answering(exchange -> {
            told.add(exchange.getRequestHeaders().getFirst("Authorization"));
            return FakeServer.TAKEN;
        })) {
            String place = elsewhere.address("").server() + "/write";
            server.close();
            server = FakeServer.answering(exchange -> {
                exchange.getResponseHeaders().set("Location", place);
                return status;
            });
            Outbox outbox = closed(outboxOf(4, 2, "token=secret;"));
            Delivery delivery = deliver(outbox);
            assertThat(delivery.refusal().answer()).isEqualTo("HTTP " + status + " to " + place);
            assertThat(outbox.waiting()).as("samples that have not arrived").isEqualTo(4);
            assertThat(told).as("secrets told elsewhere").isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 407})
    void triesAgainForAMinuteWhereItIsLockedOutFromTheBegin(int status) throws InterruptedException {
        server.close();
        server = FakeServer.answering(exchange -> status);
        Outbox outbox = outboxOf(4, 2, "");
        Delivery delivery = deliver(outbox);
        assertThat(delivery.refusal().answer()).startsWith("HTTP " + status);
        assertThat(time.ms()).as("ms until it gives up").isBetween(60_000L, 70_000L);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 407})
    void triesAgainForAnHourWhereItWasLetInBefore(int status) throws InterruptedException {
        server.close();
        Outbox[] outbox = new Outbox[1];
        server = FakeServer.answering(exchange -> {
            if (server.asked.get() == 1) {
                outbox[0].add(MadeUp.sample(MadeUp.BEGIN_US + SECOND_US, SECOND_US, 2, false));
                return FakeServer.TAKEN;
            }
            return time.ms() < HOUR_MS ? status : FakeServer.TAKEN;
        });
        outbox[0] = outboxOf(1, 2, "");
        time.onPause(() -> {
            if (time.ms() >= HOUR_MS) {
                outbox[0].close();
            }
        });
        assertThat(deliver(outbox[0]).trouble()).isEmpty();
        assertThat(server.lines(TableSchema.PROCESSES))
                .as("samples that arrive")
                .isEqualTo(2);
    }

    @Test
    void makesTheTablesOnceItIsLetIn() throws InterruptedException {
        server.close();
        server = FakeServer.answering(exchange -> server.asked.get() < 3 ? 401 : FakeServer.TAKEN);
        server.tablesAnswer(401);
        Outbox outbox = outboxOf(1, 2, "");
        time.onPause(() -> {
            if (server.asked.get() == 2) {
                server.tablesAnswer(200);
                outbox.close();
            }
        });
        deliver(outbox);
        assertThat(server.lines(TableSchema.SAMPLES)).isEqualTo(2);
        assertThat(server.tables).as("tables and views that are made").hasValue(TableSchema.ALL.size() + 1);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {FakeServer.NEVER, FakeServer.NEVER_WHOLE})
    void waitsForNoAnswerForEver(int firstAnswer) throws InterruptedException {
        server.close();
        server = FakeServer.answering(exchange -> server.asked.get() == 1 ? firstAnswer : FakeServer.TAKEN);
        Outbox outbox = closed(outboxOf(1, 2, "request_timeout=1000;"));
        deliver(outbox);
        assertThat(server.asked.get())
                .as("requests; on a busy machine an answer may come too late, too")
                .isGreaterThan(1);
        assertThat(outbox.sent()).isEqualTo(1);
    }

    @Test
    void writesNothingBeforeTheTablesAreMadeAsTheyShouldBe() throws InterruptedException {
        server.tablesAnswer(503);
        server.start();
        Outbox outbox = outboxOf(1, 2, "");
        time.onPause(() -> {
            assertThat(server.asked).as("requests before there are tables").hasValue(0);
            if (time.pausesMs.size() == 4) {
                server.tablesAnswer(200);
                outbox.close();
            }
        });
        deliver(outbox);
        assertThat(server.lines(TableSchema.SAMPLES)).isEqualTo(2);
    }

    @Test
    void tellsOfWhatWasDroppedOnceTheServerIsBackAndWhoTheThreadsAre() throws InterruptedException {
        int samples = 400;
        int threads = 200;
        Outbox outbox = closed(outboxOf(samples, threads, "buffer_mb=1;"));
        long dropped = outbox.dropped();
        assertThat(dropped).as("samples for which there is no room").isBetween(1L, samples - 1L);
        server.start();
        deliver(outbox);
        Matcher gap = OVERFLOW.matcher(server.received());
        assertThat(gap.find())
                .as("a gap in %s", server.received().lines().limit(3).toList())
                .isTrue();
        assertThat(Long.parseLong(gap.group(2))).isEqualTo(dropped);
        assertThat(Long.parseLong(gap.group(3)) / 1000)
                .as("begin of the gap, µs")
                .isEqualTo(MadeUp.BEGIN_US - SECOND_US);
        assertThat(Long.parseLong(gap.group(1)))
                .as("end of the gap, µs")
                .isEqualTo(MadeUp.BEGIN_US + (dropped - 1) * SECOND_US);
        assertThat(server.lines(TableSchema.PROCESSES))
                .as("samples that arrive")
                .isEqualTo(samples - dropped)
                .isEqualTo(outbox.sent());
        assertThat(server.lines(TableSchema.THREADS))
                .as("names, which the first sample had")
                .isEqualTo(threads);
    }

    private Delivery deliver(Outbox outbox) throws InterruptedException {
        Delivery delivery = new Delivery(outbox, new QuestDbServer(address), time);
        delivery.run();
        return delivery;
    }

    private Outbox outboxOf(int samples, int threads, String more) {
        address = server.address(more);
        Outbox outbox = new Outbox(address, time);
        for (int i = 0; i < samples; i++) {
            outbox.add(MadeUp.sample(MadeUp.BEGIN_US + i * SECOND_US, SECOND_US, threads, i == 0));
        }
        return outbox;
    }

    private static Outbox closed(Outbox outbox) {
        outbox.close();
        return outbox;
    }
}
