// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.Locale;

/**
 * What is kept, by name and columns; here and on a server elsewhere alike. Partitioned by hour, so that an hour can be
 * dropped; what an hour needs to be read is in it.
 */
enum Table {
    /** One row a sample: the JVM as a whole. */
    PROCESSES("jvm symbol, host symbol, program symbol, pid int, elapsed_us long, threads int, whole_us long,"
            + " user_ns long, system_ns long, own_ns long", "jvm"),
    /** One row a sample and thread that has done anything since the one before. */
    SAMPLES("jvm symbol, thread long, elapsed_us int, user_ns long, system_ns long", "jvm, thread"),
    /** Who a thread is: when its name is known, when it changes, and at the begin of each hour; see {@link #NAMES}. */
    THREADS("jvm symbol, thread long, tid int, java_id long, name varchar, pool varchar, kind symbol", "jvm, thread"),
    /** Times of which less is known. */
    GAPS("jvm symbol, until timestamp, reason symbol, lost_samples long", "jvm, reason");

    /** A view: one row a thread, with the last name that it had. To sum up by names, as {@link #THREADS} has several. */
    static final String NAMES = "names";

    private final String columns;
    private final String key;

    Table(String columns, String key) {
        this.columns = columns;
        this.key = key;
    }

    /** In the embedded database, written by this process alone. */
    String toSql() {
        return "create table if not exists " + this + " (timestamp timestamp, " + columns
                + ") timestamp(timestamp) partition by hour bypass wal";
    }

    /** On a server: what is sent twice is there once. */
    String toServerSql(String prefix) {
        return "create table if not exists " + prefix + this + " (timestamp timestamp, " + columns
                + ") timestamp(timestamp) partition by hour wal dedup upsert keys(timestamp, " + key + ")";
    }

    static String namesToSql(String prefix) {
        return "create view if not exists " + prefix + NAMES + " as (select jvm, thread, tid, java_id, name, pool, kind from "
                + prefix + THREADS + " latest on timestamp partition by jvm, thread)";
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
