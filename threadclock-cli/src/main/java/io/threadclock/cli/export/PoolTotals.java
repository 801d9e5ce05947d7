// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.threadclock.cli.threads.SchedStat;
import io.threadclock.cli.threads.ThreadSnapshot;

/**
 * The use of one pool's threads since they started, in ns; ended ones stay counted, except what they used after
 * the last snapshot. One thread adds, and any thread may read.
 */
final class PoolTotals {
    private volatile long userNs;
    private volatile long systemNs;
    private volatile long runDelayNs;
    private volatile long notRunningNs;
    private volatile long switches;
    private volatile int threads;
    private int counted;
    private long emptySinceNs;

    long userNs() {
        return userNs;
    }

    long systemNs() {
        return systemNs;
    }

    long cpuNs() {
        return userNs + systemNs;
    }

    long runDelayNs() {
        return runDelayNs;
    }

    long notRunningNs() {
        return notRunningNs;
    }

    long switches() {
        return switches;
    }

    int threads() {
        return threads;
    }

    /** @param before the same thread at an earlier snapshot; null: all since its start counts */
    void add(ThreadSnapshot before, ThreadSnapshot now) {
        long user = Math.max(0, now.userNs() - (before == null ? 0 : before.userNs()));
        long system = Math.max(0, now.systemNs() - (before == null ? 0 : before.systemNs()));
        userNs = userNs + user;
        systemNs = systemNs + system;
        addWaits(before, now, user + system);
    }

    /** Counts a thread that lives. */
    void count() {
        counted++;
    }

    /** How long a thread had slept before it was found is not known. */
    private void addWaits(ThreadSnapshot before, ThreadSnapshot now, long cpu) {
        SchedStat waits = now.sched();
        if (waits == null || before != null && before.sched() == null) {
            return;
        }
        long delay = Math.max(
                0, waits.delayNs() - (before == null ? 0 : before.sched().delayNs()));
        long slices = Math.max(
                0, waits.timeslices() - (before == null ? 0 : before.sched().timeslices()));
        runDelayNs = runDelayNs + delay;
        switches = switches + slices;
        if (before != null) {
            notRunningNs = notRunningNs + Math.max(0, now.readNs() - before.readNs() - cpu - delay);
        }
    }

    /** Ends a snapshot: those that were counted since the last one are the threads that live. */
    void endSnapshot(long nowNs) {
        if (counted > 0 || threads > 0) {
            emptySinceNs = nowNs;
        }
        threads = counted;
        counted = 0;
    }

    /** The time for which it has had no threads. */
    long emptyNs(long nowNs) {
        return threads > 0 ? 0 : nowNs - emptySinceNs;
    }
}
