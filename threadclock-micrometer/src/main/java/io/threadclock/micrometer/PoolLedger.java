// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.ThreadSample;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Adds up snapshots by pool. A thread's cost counts from its start and stays counted when it has ended, all but what it
 * spent after the last snapshot. A thread that gets another name counts for the other pool from then on, and so does one
 * of {@value #OTHER} whose own pool has got a place. Not thread-safe.
 */
final class PoolLedger {
    /** The pool of all threads that came when there were as many pools as allowed. */
    static final String OTHER = "other";

    /** A registry that is asked each minute has told the last state of a pool by then, several times. */
    static final long KEPT_NS = 300_000_000_000L;

    private final PoolNaming naming;
    private final int maxPools;
    private final Consumer<PoolTimes> onNewPool;
    private final Map<String, PoolTimes> pools = new HashMap<>();
    private Map<Long, Entry> entries = new HashMap<>();
    private boolean isShortOfPlaces;

    PoolLedger(PoolNaming naming, int maxPools, Consumer<PoolTimes> onNewPool) {
        this.naming = naming;
        this.maxPools = maxPools;
        this.onNewPool = onNewPool;
    }

    void add(List<ThreadSample> snapshot, long nowNs) {
        Map<Long, Entry> living = new HashMap<>(2 * snapshot.size());
        isShortOfPlaces = false;
        pools.values().forEach(PoolTimes::beginSnapshot);
        for (ThreadSample sample : snapshot) {
            Entry known = entries.get(sample.threadId());
            Entry entry = known != null ? known : new Entry();
            book(entry, sample);
            living.put(sample.threadId(), entry);
        }
        pools.values().forEach(pool -> pool.endSnapshot(nowNs));
        entries = living;
    }

    /** Pools whose places others need: they have had no threads for long. */
    List<PoolTimes> dispensable(long nowNs) {
        return !isShortOfPlaces
                ? Collections.emptyList()
                : pools.values().stream()
                        .filter(pool -> pool.emptyNs(nowNs) >= KEPT_NS && !pool.name().equals(OTHER))
                        .collect(Collectors.toList());
    }

    /** Takes its place from a pool, unless it has got threads again. */
    boolean dismiss(PoolTimes pool) {
        return pool.threads() == 0 && pools.remove(pool.name(), pool);
    }

    /** What goes backwards, as sources for comparison do, counts when it has caught up. */
    private void book(Entry entry, ThreadSample sample) {
        if (!sample.name().equals(entry.threadName)) {
            entry.threadName = sample.name();
            entry.poolName = naming.poolOf(sample.name());
        }
        PoolTimes pool = pool(entry.poolName);
        long userNs = Math.max(0, sample.userTimeNs() - entry.userNs);
        long systemNs = Math.max(0, sample.systemTimeNs() - entry.systemNs);
        entry.userNs += userNs;
        entry.systemNs += systemNs;
        pool.add(userNs, systemNs);
    }

    private PoolTimes pool(String name) {
        PoolTimes known = pools.get(name);
        if (known != null) {
            return known;
        }
        if (name.equals(OTHER) || hasPlace()) {
            return open(name);
        }
        isShortOfPlaces = true;
        return pool(OTHER);
    }

    /** The one of the overflow is one of those allowed. */
    private boolean hasPlace() {
        return pools.size() - (pools.containsKey(OTHER) ? 1 : 0) < maxPools - 1;
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
        String poolName;
        long userNs;
        long systemNs;
    }
}
