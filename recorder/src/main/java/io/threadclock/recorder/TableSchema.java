// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The tables, with their names, their columns, and the values of the columns, for the embedded database and for a
 * server. Each table begins with the columns timestamp and jvm. Tables are partitioned by hour, so that an hour can be
 * dropped; each hour can be read by itself.
 *
 * @param name the name in SQL
 * @param key the columns that, with the timestamp, identify a row
 * @param columns the columns after timestamp and jvm, in order
 * @param <R> the object from which a row is made
 */
record TableSchema<R>(String name, String key, List<Column<R>> columns) {
    /** One row per sample: the JVM as a whole. */
    static final TableSchema<Sample> PROCESSES = new TableSchema<>(
            "processes",
            "jvm",
            List.of(
                    Column.symbol("host", sample -> sample.jvm().host()),
                    Column.symbol("program", sample -> sample.jvm().program()),
                    Column.number("pid", Column.Type.INT, sample -> sample.jvm().pid()),
                    Column.number("elapsed_us", Column.Type.LONG, Sample::elapsedUs),
                    Column.number("threads", Column.Type.INT, Sample::threadCount),
                    Column.number("whole_us", Column.Type.LONG, sample -> sample.whole()
                            .elapsedUs()),
                    Column.number("user_ns", Column.Type.LONG, sample -> sample.whole()
                            .userNs()),
                    Column.number("system_ns", Column.Type.LONG, sample -> sample.whole()
                            .systemNs()),
                    Column.number("own_ns", Column.Type.LONG, Sample::ownNs)));

    /** One row per sample and thread that has run since the sample before. */
    static final TableSchema<Sample.ThreadTimes> SAMPLES = new TableSchema<>(
            "samples",
            "jvm, thread",
            List.of(
                    Column.number("thread", Column.Type.LONG, Sample.ThreadTimes::thread),
                    Column.number("elapsed_us", Column.Type.INT, Sample.ThreadTimes::elapsedUs),
                    Column.number("user_ns", Column.Type.LONG, Sample.ThreadTimes::userNs),
                    Column.number("system_ns", Column.Type.LONG, Sample.ThreadTimes::systemNs),
                    Column.number("waiting_ns", Column.Type.LONG, Sample.ThreadTimes::waitingNs)));

    /**
     * The names of threads: a row when a name is known, when it or the kind changes, and at the begin of each hour; see
     * {@link #NAMES}.
     */
    static final TableSchema<Sample.ThreadName> THREADS = new TableSchema<>(
            "threads",
            "jvm, thread",
            List.of(
                    Column.number("thread", Column.Type.LONG, Sample.ThreadName::thread),
                    Column.number("tid", Column.Type.INT, Sample.ThreadName::tid),
                    Column.number("java_id", Column.Type.LONG, Sample.ThreadName::javaId),
                    Column.text("name", Sample.ThreadName::name),
                    Column.text("pool", Sample.ThreadName::pool),
                    Column.symbol("kind", Sample.ThreadName::kind)));

    /**
     * One row per sample and pool of measured virtual threads that has run since the sample before, and for the
     * carriers' rest.
     */
    static final TableSchema<Sample.PoolTimes> VIRTUAL_POOLS = new TableSchema<>(
            "virtual_pools",
            "jvm, number",
            List.of(
                    Column.number("number", Column.Type.INT, Sample.PoolTimes::number),
                    Column.text("pool", Sample.PoolTimes::pool),
                    Column.number("threads", Column.Type.INT, Sample.PoolTimes::threads),
                    Column.number("mounts", Column.Type.LONG, Sample.PoolTimes::mounts),
                    Column.number("user_ns", Column.Type.LONG, Sample.PoolTimes::userNs),
                    Column.number("system_ns", Column.Type.LONG, Sample.PoolTimes::systemNs)));

    /** Times of which less is known. */
    static final TableSchema<Gap> GAPS = new TableSchema<>(
            "gaps",
            "jvm, reason",
            List.of(
                    Column.number("until", Column.Type.TIMESTAMP, Gap::endUs),
                    Column.symbol("reason", gap -> gap.reason().toString()),
                    Column.number("lost_samples", Column.Type.LONG, Gap::lostSamples)));

    /** Times in which the CPU quota was used up. */
    static final TableSchema<Throttling> THROTTLING = new TableSchema<>(
            "throttling",
            "jvm",
            List.of(
                    Column.number("until", Column.Type.TIMESTAMP, Throttling::endUs),
                    Column.number("quota_milli_cpus", Column.Type.INT, Throttling::milliCpus),
                    Column.number("periods", Column.Type.LONG, Throttling::periods),
                    Column.number("throttled_periods", Column.Type.LONG, Throttling::throttledPeriods),
                    Column.number("throttled_ns", Column.Type.LONG, Throttling::throttledNs)));

    static final List<TableSchema<?>> ALL = List.of(PROCESSES, SAMPLES, THREADS, GAPS, VIRTUAL_POOLS, THROTTLING);

    /**
     * A view with one row per thread and its last name, for sums by name; {@link #THREADS} has several rows per thread.
     */
    static final String NAMES = "names";

    /**
     * One column.
     *
     * @param text its value for symbols and text; null for other types
     * @param number its value for other types; timestamps are in µs
     */
    record Column<R>(String name, Type type, Function<R, String> text, ToLongFunction<R> number) {
        enum Type {
            SYMBOL,
            VARCHAR,
            INT,
            LONG,
            TIMESTAMP
        }

        private static <R> Column<R> symbol(String name, Function<R, String> text) {
            return new Column<>(name, Type.SYMBOL, text, null);
        }

        private static <R> Column<R> text(String name, Function<R, String> text) {
            return new Column<>(name, Type.VARCHAR, text, null);
        }

        private static <R> Column<R> number(String name, Type type, ToLongFunction<R> number) {
            return new Column<>(name, type, null, number);
        }
    }

    /** For the embedded database, which only this process writes. */
    String toSql() {
        return create("") + "bypass wal";
    }

    /** For a server, on which a row that is sent twice exists once. */
    String toServerSql(String prefix) {
        return create(prefix) + "wal dedup upsert keys(timestamp, " + key + ")";
    }

    private String create(String prefix) {
        String typed = columns.stream()
                .map(column -> ", " + column.name + " " + column.type)
                .collect(Collectors.joining());
        return "create table if not exists " + prefix + name + " (timestamp timestamp, jvm symbol" + typed
                + ") timestamp(timestamp) partition by hour ";
    }

    static String namesToSql(String prefix) {
        return "create view if not exists " + prefix + NAMES
                + " as (select jvm, thread, tid, java_id, name, pool, kind from " + prefix + THREADS
                + " latest on timestamp partition by jvm, thread)";
    }

    @Override
    public String toString() {
        return name;
    }
}
