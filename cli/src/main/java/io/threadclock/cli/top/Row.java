// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.PoolName;
import io.threadclock.cli.threads.ThreadKind;

/**
 * A line of the table: a thread, or a pool of threads, which may be virtual ones.
 *
 * @param key the same from snapshot to snapshot
 * @param tid 0 for a pool
 * @param javaId 0: not known, or none
 * @param threads 1 unless it is a pool
 * @param cpuNs since the start; of virtual threads, since the first measured mount
 * @param waits null: not known, or virtual threads
 * @param mountsPerS 0 unless they are virtual threads
 * @param allocation null: not known, or not asked for
 */
public record Row(
        String key,
        String name,
        ThreadKind kind,
        int tid,
        long javaId,
        int threads,
        Rate rate,
        long cpuNs,
        long userNs,
        WaitRate waits,
        double mountsPerS,
        Allocation allocation) {
    static Row of(ThreadRate usage, Allocation allocation) {
        var thread = usage.thread();
        return new Row(
                thread.tid() + "@" + thread.startNs(),
                thread.name(),
                thread.kind(),
                thread.tid(),
                thread.javaId(),
                1,
                usage.rate(),
                thread.cpuNs(),
                thread.userNs(),
                usage.waits(),
                0,
                allocation);
    }

    static Row of(PoolRate usage) {
        var pool = usage.pool();
        return new Row(
                "virtual/" + pool.number(),
                pool.name(),
                ThreadKind.VIRTUAL,
                0,
                0,
                pool.threads(),
                usage.rate(),
                pool.cpuNs(),
                pool.userNs(),
                null,
                usage.mountsPerS(),
                null);
    }

    Row joinedBy(Row other, String pool) {
        return new Row(
                pool + "/" + kind,
                pool,
                kind,
                0,
                0,
                threads + other.threads,
                rate.plus(other.rate),
                cpuNs + other.cpuNs,
                userNs + other.userNs,
                WaitRate.sum(waits, other.waits),
                0,
                Allocation.sum(allocation, other.allocation));
    }

    /** Whether this thread belongs to that pool. */
    boolean isIn(Row pool) {
        return kind == pool.kind && PoolName.of(name).equals(pool.name);
    }

    public boolean isVirtual() {
        return kind == ThreadKind.VIRTUAL;
    }

    public boolean isPool() {
        return tid == 0;
    }
}
