// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests one recording with several queries. */
class TimelineTest {
    private static final long TENTH_US = 100_000;
    private static final int SAMPLES = 50;
    private static final int THREADS = 6;

    @TempDir
    static Path directory;

    private static RecordingReader reading;

    /** Samples that are never quite in time, with a second of nothing in the middle. */
    @BeforeAll
    static void record() {
        MadeUp.record(directory, store -> {
            store.put(MadeUp.sample(MadeUp.BEGIN_US, 0, 0, false));
            long us = MadeUp.BEGIN_US;
            for (int i = 1; i <= SAMPLES; i++) {
                long elapsedUs = TENTH_US + (i % 2 == 0 ? 7_000 : -7_000) + (i == SAMPLES / 2 ? 10 * TENTH_US : 0);
                us += elapsedUs;
                store.put(MadeUp.sample(us, elapsedUs, THREADS, i == 1));
            }
            store.put(new Gap(MadeUp.JVM, us - 1000, us, Gap.Reason.LATE, 1));
        });
        reading = RecordingReader.open(directory);
    }

    /** The timeline of another recording. */
    private static Timeline recorded(Path directory, Consumer<Store> recording) {
        MadeUp.record(directory, recording);
        return MadeUp.read(directory, other -> new Timeline(other, ""));
    }

    @AfterAll
    static void close() {
        reading.close();
    }

    @Test
    void losesNothingBetweenSlotsWhichAreAsFineAsTheSamplesAndNotFiner() {
        Timeline recorded = new Timeline(reading, "");
        assertThat(userNs(recorded.threads())).isCloseTo(SAMPLES * 21_000.0, within(1.0));
        assertThat(sum(recorded.processes().iterator().next(), 1)).isCloseTo(SAMPLES * 2_100.0, within(1.0));
        assertThat(recorded.gaps()).hasSize(1);
        assertThat(recorded.slotUs()).isEqualTo(TENTH_US);
        assertThat(recorded.slots()).isEqualTo(SAMPLES + 10);
        assertThat(recorded.threads())
                .extracting(CostSeries::name)
                .contains("worker-1", "GC Thread#2", "http-nio-8080-exec-6");
        assertThat(recorded.threads().iterator().next().slots().values())
                .as("a sample is spread over the time that it is of")
                .allSatisfy(times -> assertThat(times[0]).isBetween(50.0, 6_600.0));
    }

    @Test
    void spreadsTheWholeOverTheTimeThatTheKernelWasNotAskedForIt(@TempDir Path other) {
        Timeline seldom = recorded(other, store -> {
            for (int i = 0; i <= 10; i++) {
                Sample.Whole whole = i == 10 ? new Sample.Whole(10 * TENTH_US, 10_000_000, 0) : Sample.Whole.NOT_ASKED;
                store.put(MadeUp.sample(MadeUp.BEGIN_US + i * TENTH_US, i == 0, 1, whole, List.of(), List.of()));
            }
        });
        CostSeries process = seldom.processes().iterator().next();
        assertThat(process.slots()).hasSize(10);
        assertThat(process.slots().values())
                .allSatisfy(times -> assertThat(times[0]).isCloseTo(1_000_000, within(1.0)));
    }

    /**
     * Ten samples. A thread has waited 20 ms and run in each of them; or it has waited 400 ms and run in every fifth,
     * so that a wait lies before the sample that tells of it.
     */
    @ParameterizedTest
    @CsvSource({"1, 20000000, 200000000", "5, 400000000, 800000000"})
    void aThreadWaitsBeforeItsWaitIsToldAndTheProcessWithIt(
            int every, long waitingNs, long sumNs, @TempDir Path other) {
        Timeline recorded = recorded(other, store -> {
            for (int i = 0; i <= 10; i++) {
                boolean hasRun = i > 0 && i % every == 0;
                Sample.ThreadTimes times = new Sample.ThreadTimes(7, (int) TENTH_US, every * 5_000_000L, 0, waitingNs);
                Sample.Whole whole = new Sample.Whole(TENTH_US, 5_000_000, 0);
                List<Sample.ThreadTimes> told = hasRun ? List.of(times) : List.of();
                store.put(MadeUp.sample(MadeUp.BEGIN_US + i * TENTH_US, i == 0, 1, whole, told, List.of()));
            }
        });
        for (CostSeries one : List.of(
                recorded.threads().iterator().next(),
                recorded.processes().iterator().next())) {
            assertThat(one.waits().values().stream().mapToDouble(ns -> ns).sum())
                    .isCloseTo(sumNs, within(1.0));
            assertThat(one.waits()).hasSize(10);
            assertThat(one.waits().values()).allMatch(ns -> ns <= TENTH_US * 1000);
        }
    }

    @Test
    void hasVirtualThreadsByPoolsBesideTheThreads(@TempDir Path other) {
        Timeline recorded = recorded(other, store -> putPools(store, 2));
        assertThat(recorded.threads()).hasSize(THREADS);
        assertThat(recorded.virtualPools())
                .extracting(CostSeries::name)
                .containsExactlyInAnyOrder("pool-1-*", "pool-2-*");
        assertThat(recorded.virtualPools()).allSatisfy(pool -> {
            assertThat(sum(pool, 0)).isCloseTo(30_000.0, within(1.0));
            assertThat(sum(pool, 1)).isCloseTo(3_000.0, within(1.0));
            assertThat(sum(pool, 2)).isCloseTo(21.0, within(0.01));
            assertThat(pool.threads()).as("the most at one moment").hasValue(5);
        });
        assertThat(userNs(recorded.rests())).isCloseTo(300.0, within(1.0));
    }

    @Test
    void isBoundedHoweverManyPoolsOfVirtualThreadsThereAre(@TempDir Path other) {
        Timeline recorded = recorded(other, store -> putPools(store, 1000));
        assertThat(recorded.virtualPools()).hasSize(Timeline.MOST_SHOWN + 1);
        assertThat(userNs(recorded.virtualPools())).isCloseTo(1000 * 30_000.0, within(100.0));
    }

    /** Three samples; the threads of each pool become more and then fewer. */
    private static void putPools(Store store, int count) {
        store.put(MadeUp.sample(MadeUp.BEGIN_US, 0, 0, false));
        for (int i = 1; i <= 3; i++) {
            List<Sample.PoolTimes> pools = new ArrayList<>();
            pools.add(new Sample.PoolTimes(Sample.PoolTimes.REST, "(carriers' rest)", 0, 0, 100, 10));
            for (int pool = 1; pool <= count; pool++) {
                pools.add(new Sample.PoolTimes(pool, "pool-" + pool + "-*", i == 2 ? 5 : 3, 7, 10_000, 1_000));
            }
            Sample sample = MadeUp.sample(MadeUp.BEGIN_US + i * TENTH_US, TENTH_US, THREADS, i == 1);
            store.put(MadeUp.withPools(sample, pools));
        }
    }

    @Test
    void isBoundedHoweverManyPoolsThereAre(@TempDir Path other) {
        List<String> names = IntStream.range(0, 1000)
                .mapToObj(i -> "thread" + (char) ('A' + i / 26) + (char) ('A' + i % 26))
                .toList();
        Timeline recorded = recorded(other, store -> {
            store.put(MadeUp.named(MadeUp.BEGIN_US, 0, List.of()));
            store.put(MadeUp.named(MadeUp.BEGIN_US + TENTH_US, TENTH_US, names));
        });
        assertThat(recorded.threads()).hasSize(2 * Timeline.MOST_SHOWN + 1);
        assertThat(userNs(recorded.threads())).isCloseTo(1000 * 1_000_000.0, within(1.0));
    }

    @Test
    void leavesOutMostOfATimeInWhichNobodyRecorded(@TempDir Path other) {
        long laterUs = MadeUp.BEGIN_US + 24 * MadeUp.HOUR_US + 12_345;
        Timeline recorded = recorded(other, store -> {
            for (long beginUs : List.of(MadeUp.BEGIN_US, laterUs)) {
                for (int i = 0; i <= 100; i++) {
                    store.put(MadeUp.sample(beginUs + i * TENTH_US, i == 0 ? 0 : TENTH_US, 1, false));
                }
            }
        });
        assertThat(recorded.slotUs()).isEqualTo(TENTH_US);
        assertThat(recorded.slots()).as("20 s, and a second of a day").isBetween(200, 213);
        assertThat(recorded.stretches()).hasSize(2).containsEntry(0, MadeUp.BEGIN_US);
        assertThat(recorded.stretches().values()).allMatch(us -> (us - MadeUp.BEGIN_US) % TENTH_US == 0);
        BitSet covered = recorded.covered(MadeUp.JVM.key());
        assertThat(covered.nextClearBit(0)).isEqualTo(100);
        assertThat(covered.cardinality()).isBetween(200, 201);
        CostSeries one = recorded.threads().iterator().next();
        assertThat(sum(one, 0)).isCloseTo(200 * 1000.0, within(1.0));
        assertThat(one.slots().keySet()).allMatch(covered::get).hasSize(covered.cardinality());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01 00:00:01;2s",
                "2026-01-01 00:00:01 UTC;2s",
                "2026-01-01 01:00:01 +01:00;2000T",
                "2025-12-31 18:30:01.000 -05:30;2s",
            })
    void takesATimeAsThePageShowsItInAnyZone(String window) {
        Timeline part = new Timeline(reading, window);
        assertThat(part.samples()).isBetween(9L, 20L);
        assertThat(part.beginUs()).isBetween(MadeUp.BEGIN_US + 8 * TENTH_US, MadeUp.BEGIN_US + 10 * TENTH_US);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-01-01", "2026-01-01 UTC", "2026-01-01 01 +01:00", "2026-01-01 01:00 +01:00;1h"})
    void takesATimeOfAnyPrecision(String window) {
        assertThat(new Timeline(reading, window).samples()).isEqualTo(SAMPLES + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"yesterday", "2026-01-01;2s;2", "2026' or jvm != '", "2025-01-01"})
    void saysWhichTimeItDoesNotTake(String window) {
        MadeUp.refused(() -> new RecordingPage(reading, window), window, "--in");
    }

    @Test
    void answersQueriesAsCsvAndJson() {
        assertThat(answer("select name, kind from threads limit 1", false))
                .containsExactly("name,kind", "worker-1,java");
        assertThat(answer("select thread, name, null::long n from threads limit 1", true))
                .containsExactly("{\"thread\":1,\"name\":\"worker-1\",\"n\":null}");
    }

    @Test
    void hasNoFormulaInCsv() {
        for (String formula : List.of("=1+1", "+1", "-cmd|'/C calc'!A0", "@SUM(1)", "\t=1", "\r=1")) {
            String sql = "select '" + formula.replace("'", "''") + "' t, -7 n, -0.5 d, '=' c from threads limit 1";
            String cell = answer(sql, false).get(1).replaceFirst(",-7,-0[.]5,'=$", "");
            assertThat(cell).matches("(?s)'.*|\"'.*\"").contains(formula);
            assertThat(answer(sql, true).get(0))
                    .as("--json has it as it is")
                    .contains("\"c\":\"=\"")
                    .doesNotContain("'=");
        }
        assertThat(answer("select 'a=1' t, 'b;=1' u from threads limit 1", false))
                .endsWith("a=1,\"b;=1\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "truncate table samples",
                "drop table samples",
                "insert into gaps values (1, 'x', 1, 'y', 1)",
                "select nothing from nowhere"
            })
    void refusesAQueryThatIsWrongOrChangesSomething(String sql) {
        MadeUp.refused(() -> answer(sql, false), sql);
        assertThat(reading.number("select count() from samples")).isEqualTo(SAMPLES * THREADS);
    }

    private static List<String> answer(String sql, boolean json) {
        List<String> lines = new ArrayList<>();
        new QueryOutput(reading, sql, json).print(lines::add);
        return lines;
    }

    private static double userNs(Collection<CostSeries> series) {
        return series.stream().mapToDouble(one -> sum(one, 0)).sum();
    }

    private static double sum(CostSeries series, int part) {
        return series.slots().values().stream()
                .mapToDouble(times -> times[part])
                .sum();
    }
}
