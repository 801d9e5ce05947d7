// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.ThreadSample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Adds up snapshots by pool. A thread's cost counts from its start and stays counted when it has ended, all but what it
 * spent after the last snapshot. A thread that gets another name counts for the other pool from then on. Not
 * thread-safe.
 */
final class PoolLedger {
    /** The pool of all threads that came when there were as many pools as allowed. */
    static final String OTHER = "other";

    private final PoolNaming naming;
    private final int maxPools;
    private final Consumer<PoolTimes> onNewPool;
    private final Map<String, PoolTimes> pools = new HashMap<>();
    private Map<Long, Entry> entries = new HashMap<>();

    PoolLedger(PoolNaming naming, int maxPools, Consumer<PoolTimes> onNewPool) {
        this.naming = naming;
        this.maxPools = maxPools;
        this.onNewPool = onNewPool;
    }

    void add(List<ThreadSample> snapshot) {
        Map<Long, Entry> living = new HashMap<>(2 * snapshot.size());
        pools.values().forEach(PoolTimes::beginSnapshot);
        for (ThreadSample sample : snapshot) {
            Entry known = entries.get(sample.threadId());
            Entry entry = known != null ? known : new Entry();
            book(entry, sample);
            living.put(sample.threadId(), entry);
        }
        pools.values().forEach(PoolTimes::endSnapshot);
        entries = living;
    }

    /** What goes backwards, as sources for comparison do, counts when it has caught up. */
    private void book(Entry entry, ThreadSample sample) {
        if (!sample.name().equals(entry.threadName)) {
            entry.threadName = sample.name();
            entry.pool = pool(naming.poolOf(sample.name()));
        }
        long userNs = Math.max(0, sample.userTimeNs() - entry.userNs);
        long systemNs = Math.max(0, sample.systemTimeNs() - entry.systemNs);
        entry.userNs += userNs;
        entry.systemNs += systemNs;
        entry.pool.add(userNs, systemNs);
    }

    /** The one of the overflow is one of those allowed. */
    private PoolTimes pool(String name) {
        PoolTimes known = pools.get(name);
        if (known != null) {
            return known;
        }
        return pools.size() < maxPools - 1 || name.equals(OTHER) ? open(name) : pool(OTHER);
    }

    private PoolTimes open(String name) {
        PoolTimes pool = new PoolTimes(name);
        pools.put(name, pool);
        onNewPool.accept(pool);
        return pool;
    }

    /** What is known of a living thread. */
    private static final class Entry {
        String threadName;
        PoolTimes pool;
        long userNs;
        long systemNs;
    }
}
