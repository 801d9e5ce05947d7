// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Samples of a JVM that never existed. */
final class MadeUp {
    static final JvmName JVM = new JvmName("host", "app.jar", 4711, 100);
    /** 2026-01-01T00:00:00Z */
    static final long BEGIN_US = 1_767_225_600_000_000L;

    static final long HOUR_US = TimeUnit.HOURS.toMicros(1);
    /** Names that threads may have. */
    static final List<String> HOSTILE_NAMES = List.of(
            "it's \"quoted\", a=b c\\d",
            "</script><img src=x onerror=\"document.title='taken'\">",
            "'; drop table samples; --",
            "\u202eesrever ni \u0645\u0631\u062d\u0628\u0627",
            "\ud83d\ude00 & <b>",
            "/*SCRIPT*/",
            "x".repeat(1 << 16));

    /** A name that the line protocol cannot express. */
    static final String TWO_LINES = "two\nlines,a=1i 1\r\0";

    private static final String[] POOLS = {"http-nio-8080-exec-", "worker-", "GC Thread#"};
    private static final String[] KINDS = {"java", "java", "gc"};

    private MadeUp() {}

    /** Threads 1 to {@code threads}; each has its number as user time in µs, and a tenth of that as system time. */
    static Sample sample(long wallUs, long elapsedUs, int threads, boolean named) {
        List<Sample.ThreadTimes> times = new ArrayList<>();
        List<Sample.ThreadName> names = new ArrayList<>();
        long sumNs = 0;
        for (int i = 1; i <= threads; i++) {
            times.add(new Sample.ThreadTimes(i, (int) elapsedUs, 1000L * i, 100L * i));
            sumNs += 1000L * i;
            if (named) {
                names.add(name(i));
            }
        }
        return new Sample(
                JVM,
                wallUs,
                elapsedUs,
                threads,
                new Sample.Whole(elapsedUs, sumNs, sumNs / 10),
                10,
                times,
                names,
                List.of());
    }

    /** A tenth of a second; the first sample has no times. */
    static Sample sample(
            long wallUs,
            boolean isFirst,
            int threads,
            Sample.Whole whole,
            List<Sample.ThreadTimes> times,
            List<Sample.ThreadName> names) {
        return isFirst
                ? new Sample(JVM, wallUs, 0, threads, Sample.Whole.NOT_ASKED, 0, List.of(), names, List.of())
                : new Sample(JVM, wallUs, 100_000, threads, whole, 0, times, names, List.of());
    }

    /** The same sample with these pools of virtual threads. */
    static Sample withPools(Sample its, List<Sample.PoolTimes> pools) {
        return new Sample(
                its.jvm(),
                its.wallUs(),
                its.elapsedUs(),
                its.threadCount(),
                its.whole(),
                its.ownNs(),
                its.threads(),
                its.names(),
                pools);
    }

    /** Threads with these names, which have all done the same. */
    static Sample named(long wallUs, long elapsedUs, List<String> threadNames) {
        List<Sample.ThreadTimes> times = new ArrayList<>();
        List<Sample.ThreadName> names = new ArrayList<>();
        for (String name : threadNames) {
            int number = names.size() + 1;
            times.add(new Sample.ThreadTimes(number, (int) elapsedUs, 1_000_000, 100_000));
            names.add(new Sample.ThreadName(number, 4711 + number, number, name, name, "java"));
        }
        Sample.Whole whole = new Sample.Whole(elapsedUs, 1_000_000L * times.size(), 100_000L * times.size());
        return new Sample(JVM, wallUs, elapsedUs, times.size(), whole, 10, times, names, List.of());
    }

    /** A recording that may become large. */
    static Store store(Path data) {
        return Store.open(data, RetentionLimits.parse("1g"));
    }

    static void record(Path data, Consumer<Store> recording) {
        try (Store store = store(data)) {
            recording.accept(store);
        }
    }

    /** What the recording there tells. */
    static <T> T read(Path data, Function<RecordingReader, T> reading) {
        try (RecordingReader reader = RecordingReader.open(data)) {
            return reading.apply(reader);
        }
    }

    /** Writes the page of a recording. */
    static Path page(Path data, Path file, Consumer<Store> recording) {
        record(data, recording);
        return read(data, reader -> {
            new RecordingPage(reader, "").write(file);
            return file;
        });
    }

    /** Writes the page of a recording of these threads, for a tenth of a second. */
    static void report(Path data, Path file, List<String> threadNames) {
        page(data, file, store -> {
            store.put(named(BEGIN_US, 0, List.of()));
            store.put(named(BEGIN_US + 100_000, 100_000, threadNames));
        });
    }

    /** @param words of the failure's message */
    static void refused(ThrowingCallable work, String... words) {
        assertThatThrownBy(work).isInstanceOf(StoreFailure.class).hasMessageContainingAll(words);
    }

    static Sample.ThreadName name(int number) {
        int pool = number % POOLS.length;
        return new Sample.ThreadName(
                number, 4711 + number, pool == 2 ? 0 : number, POOLS[pool] + number, POOLS[pool] + "*", KINDS[pool]);
    }
}
