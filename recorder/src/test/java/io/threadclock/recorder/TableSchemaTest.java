// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each value has its own number here, so that one in the wrong column is noticed. */
class TableSchemaTest {
    private static final JvmName JVM = new JvmName("host", "a b", 4711, 99);
    private static final Sample SAMPLE = new Sample(
            JVM,
            MadeUp.BEGIN_US,
            11,
            12,
            new Sample.Whole(13, 14, 15),
            16,
            List.of(new Sample.ThreadTimes(21, 22, 23, 24, 25)),
            List.of(new Sample.ThreadName(21, 31, 32, "worker-1", "worker-*", "java")),
            List.of(new Sample.PoolTimes(51, "handler-*", 52, 53, 54, 55)));
    private static final Gap GAP = new Gap(JVM, MadeUp.BEGIN_US, MadeUp.BEGIN_US + 5, Gap.Reason.LATE, 41);

    private static final Throttling THROTTLING =
            new Throttling(JVM, MadeUp.BEGIN_US, MadeUp.BEGIN_US + 6, 61, 62, 63, 64);

    @TempDir
    private Path directory;

    @Test
    void theEmbeddedDatabaseHasEachValueInItsColumn() {
        MadeUp.record(directory, store -> {
            store.put(SAMPLE);
            store.put(GAP);
            store.put(THROTTLING);
        });
        try (RecordingReader reader = RecordingReader.open(directory)) {
            String jvm = JVM.key() + ",";
            assertThat(rowOf(TableSchema.PROCESSES, reader)).isEqualTo(jvm + "host,a b,4711,11,12,13,14,15,16");
            assertThat(rowOf(TableSchema.SAMPLES, reader)).isEqualTo(jvm + "21,22,23,24,25");
            assertThat(rowOf(TableSchema.THREADS, reader)).isEqualTo(jvm + "21,31,32,worker-1,worker-*,java");
            assertThat(rowOf(TableSchema.VIRTUAL_POOLS, reader)).isEqualTo(jvm + "51,handler-*,52,53,54,55");
            assertThat(rowOf(TableSchema.GAPS, reader)).isEqualTo(jvm + "2026-01-01T00:00:00.000005Z,late,41");
            assertThat(rowOf(TableSchema.THROTTLING, reader))
                    .isEqualTo(jvm + "2026-01-01T00:00:00.000006Z,61,62,63,64");
        }
    }

    /** The only row as CSV, without its time. */
    private static String rowOf(TableSchema<?> table, RecordingReader reader) {
        List<String> lines = new ArrayList<>();
        new QueryOutput(reader, "select * from " + table, false).print(lines::add);
        return lines.get(1).replaceFirst("^2026-01-01T00:00:00Z,", "");
    }

    @Test
    void theLineProtocolHasEachValueBehindItsName() {
        String lines = new String(
                new LineProtocol("x_")
                        .addNames(JVM, MadeUp.BEGIN_US, SAMPLE.names())
                        .addTimes(SAMPLE)
                        .add(GAP)
                        .add(THROTTLING)
                        .bytes(),
                StandardCharsets.UTF_8);
        String at = " " + MadeUp.BEGIN_US + "000\n";
        String jvm = ",jvm=" + JVM.key().replace(" ", "\\ ");
        assertThat(lines)
                .isEqualTo("x_threads" + jvm
                        + ",kind=java thread=21i,tid=31i,java_id=32i,name=\"worker-1\",pool=\"worker-*\"" + at
                        + "x_processes" + jvm + ",host=host,program=a\\ b"
                        + " pid=4711i,elapsed_us=11i,threads=12i,whole_us=13i,user_ns=14i,system_ns=15i,own_ns=16i" + at
                        + "x_samples" + jvm + " thread=21i,elapsed_us=22i,user_ns=23i,system_ns=24i,waiting_ns=25i" + at
                        + "x_virtual_pools" + jvm
                        + " number=51i,pool=\"handler-*\",threads=52i,mounts=53i,user_ns=54i,system_ns=55i" + at
                        + "x_gaps" + jvm + ",reason=late until=" + (MadeUp.BEGIN_US + 5) + "t,lost_samples=41i" + at
                        + "x_throttling" + jvm + " until=" + (MadeUp.BEGIN_US + 6)
                        + "t,quota_milli_cpus=61i,periods=62i,throttled_periods=63i,throttled_ns=64i" + at);
    }

    @Test
    void whatIsNotKnownIsNullAndNotZero() {
        Sample sample = MadeUp.sample(MadeUp.BEGIN_US, 11, 1, false);
        assertThat(new String(new LineProtocol("x_").addTimes(sample).bytes(), StandardCharsets.UTF_8))
                .contains("system_ns=100i ")
                .doesNotContain("waiting_ns");
        MadeUp.record(directory, store -> store.put(sample));
        String nulls = "select count() from samples where waiting_ns is null";
        assertThat(MadeUp.<Long>read(directory, reader -> reader.number(nulls))).isEqualTo(1);
    }

    @Test
    void aServersTableHasTheSameColumnsAndTellsRowsApart() {
        assertThat(TableSchema.GAPS.toServerSql("x_"))
                .isEqualTo(
                        "create table if not exists x_gaps (timestamp timestamp, jvm symbol, until TIMESTAMP,"
                                + " reason SYMBOL, lost_samples LONG) timestamp(timestamp) partition by hour wal dedup upsert keys(timestamp, jvm, reason)");
        assertThat(TableSchema.VIRTUAL_POOLS.toServerSql("x_"))
                .contains("x_virtual_pools (timestamp timestamp, jvm symbol, number INT, pool VARCHAR,")
                .endsWith("keys(timestamp, jvm, number)");
    }
}
