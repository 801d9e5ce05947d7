// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.ThreadSample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;

/**
 * Adds up snapshots by pool. A thread's cost counts from its start, and stays counted when it has ended, except what it
 * used after the last snapshot. A thread that gets another name counts for the other pool from then on; so does a
 * thread of {@value #OTHER} when its own pool gets a place. Not thread-safe.
 */
final class PoolLedger {
    /** The pool of all threads that came after the greatest number of pools was reached. */
    static final String OTHER = "other";

    /** In this time, a registry that asks each minute has seen the last state of a pool several times. */
    static final long KEPT_NS = 300_000_000_000L;

    private final PoolNaming naming;
    private final int maxPools;
    private final Consumer<PoolTimes> onNewPool;
    private final IntToLongFunction runDelays;
    private final Map<String, PoolTimes> pools = new HashMap<>();
    private Map<Long, Known> entries = new HashMap<>();
    private final Map<Integer, Known> endedByTid = new Latest();
    private boolean isShortOfPlaces;
    private volatile boolean hasRunDelays;

    /** The last argument returns a thread's run-queue delay in ns by its tid, or {@link RunDelays#UNKNOWN}. */
    PoolLedger(PoolNaming naming, int maxPools, Consumer<PoolTimes> onNewPool, IntToLongFunction runDelays) {
        this.naming = naming;
        this.maxPools = maxPools;
        this.onNewPool = onNewPool;
        this.runDelays = runDelays;
    }

    void add(List<ThreadSample> snapshot, long nowNs) {
        Map<Long, Known> living = new HashMap<>(2 * snapshot.size());
        List<ThreadSample> started = new ArrayList<>();
        isShortOfPlaces = false;
        pools.values().forEach(PoolTimes::beginSnapshot);
        for (ThreadSample sample : snapshot) {
            Known before = entries.remove(sample.threadId());
            if (before == null) {
                started.add(sample);
            } else {
                living.put(sample.threadId(), before);
                book(before, sample);
            }
        }
        entries.values().forEach(ended -> endedByTid.put(ended.last.tid(), ended));
        for (ThreadSample sample : started) {
            Known entry = begin(sample);
            living.put(sample.threadId(), entry);
            book(entry, sample);
        }
        pools.values().forEach(pool -> pool.endSnapshot(nowNs));
        entries = living;
    }

    /**
     * A Java thread that goes on in the kernel thread of another one, as DestroyJavaVM in main's, has that one's time,
     * too.
     */
    private Known begin(ThreadSample sample) {
        Known former = endedByTid.remove(sample.tid());
        Known entry = new Known();
        if (former != null && sample.continues(former.last)) {
            entry.userNs = former.userNs;
            entry.systemNs = former.systemNs;
            entry.runDelayNs = former.runDelayNs;
        }
        return entry;
    }

    /** Pools whose places others need, and which have had no threads for long. */
    List<PoolTimes> dispensable(long nowNs) {
        return !isShortOfPlaces
                ? Collections.emptyList()
                : pools.values().stream()
                        .filter(pool ->
                                pool.emptyNs(nowNs) >= KEPT_NS && !pool.name().equals(OTHER))
                        .collect(Collectors.toList());
    }

    /** Takes the place of a pool, unless it has got threads again. */
    boolean dismiss(PoolTimes pool) {
        return pool.threads() == 0 && pools.remove(pool.name(), pool);
    }

    /** A time that goes backwards, as those of sources for comparison do, counts again when it has caught up. */
    private void book(Known entry, ThreadSample sample) {
        if (!sample.name().equals(entry.threadName)) {
            entry.threadName = sample.name();
            entry.poolName = naming.poolOf(sample.name());
        }
        PoolTimes pool = pool(entry.poolName);
        long userNs = Math.max(0, sample.userTimeNs() - entry.userNs);
        long systemNs = Math.max(0, sample.systemTimeNs() - entry.systemNs);
        long waitedNs = waitedNs(entry, sample);
        entry.userNs += userNs;
        entry.systemNs += systemNs;
        entry.runDelayNs += waitedNs;
        entry.last = sample;
        pool.add(userNs, systemNs, waitedNs);
    }

    /** A thread that has not run since then has its last delay: the kernel adds a wait when it is over. */
    private long waitedNs(Known entry, ThreadSample sample) {
        if (entry.last != null && sample.cpuTimeNs() == entry.last.cpuTimeNs()) {
            return 0;
        }
        long delayNs = runDelays.applyAsLong(sample.tid());
        hasRunDelays |= delayNs != RunDelays.UNKNOWN;
        return Math.max(0, delayNs - entry.runDelayNs);
    }

    /** Whether the delay of any thread has been known. */
    boolean hasRunDelays() {
        return hasRunDelays;
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

    /** Whether there is a place for another pool. The pool of the overflow is one of those allowed. */
    private boolean hasPlace() {
        return pools.size() - (pools.containsKey(OTHER) ? 1 : 0) < maxPools - 1;
    }

    private PoolTimes open(String name) {
        PoolTimes pool = new PoolTimes(name);
        pools.put(name, pool);
        onNewPool.accept(pool);
        return pool;
    }

    /** The known facts of a thread. */
    private static final class Known {
        ThreadSample last;
        String threadName;
        String poolName;
        long userNs;
        long systemNs;
        long runDelayNs;
    }

    /** The latest threads by tid. Older ones are dropped, because there may be very many as threads start and end. */
    @SuppressWarnings("serial")
    private static final class Latest extends LinkedHashMap<Integer, Known> {
        private static final int MOST = 4096;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Known> eldest) {
            return size() > MOST;
        }
    }
}
