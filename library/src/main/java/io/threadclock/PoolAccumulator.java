// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Adds up snapshots by pool, for meters of thread pools.
 *
 * <pre>{@code
 * List<PoolTimes> pools = new ArrayList<>();
 * PoolAccumulator accumulator = new PoolAccumulator(PoolName::of, 100, pools::add);
 * accumulator.add(ThreadsSnapshot.take().threads(), System.nanoTime()); // once a second
 * }</pre>
 *
 * <p>A thread's cost counts from its start, and stays counted when it has ended, except what it used after the last
 * snapshot. A thread that gets another name counts for the other pool from then on; so does a thread of {@value #OTHER}
 * when its own pool gets a place.
 *
 * <p>Run delays are read from {@code /proc/self/task}, by three system calls for each thread that has run since the
 * last snapshot. Not thread-safe, but its pools are.
 *
 * @since 0.1
 */
public final class PoolAccumulator {
    /** The pool of all threads that came after the greatest number of pools was reached. */
    public static final String OTHER = "other";

    /** In this time, a registry that asks each minute has seen the last state of a pool several times. */
    static final long KEPT_NS = 300_000_000_000L;

    private final UnaryOperator<String> naming;
    private final int maxPools;
    private final Consumer<PoolTimes> onNewPool;
    private final ToLongFunction<ThreadSample> runDelays;
    private final Map<String, PoolTimes> pools = new HashMap<>();
    private Map<Long, Known> entries = new HashMap<>();
    private final Map<Integer, Known> endedByTid = new Latest();
    private boolean isShortOfPlaces;
    private volatile boolean hasRunDelays;

    /**
     * Has no pools yet.
     *
     * @param naming the name of a thread's pool by that of the thread, such as {@link PoolName#of}
     * @param maxPools the greatest number of pools, ≥ 1, {@value #OTHER} included
     * @param onNewPool is called in {@link #add} for each pool that gets its first thread
     */
    public PoolAccumulator(UnaryOperator<String> naming, int maxPools, Consumer<PoolTimes> onNewPool) {
        this(naming, maxPools, onNewPool, sample -> RunDelays.ofThread(sample.tid()));
    }

    /**
     * As the other one, with a source of run delays of its own.
     *
     * @param naming the name of a thread's pool by that of the thread, such as {@link PoolName#of}
     * @param maxPools the greatest number of pools, ≥ 1, {@value #OTHER} included
     * @param onNewPool is called in {@link #add} for each pool that gets its first thread
     * @param runDelays the run delay of a thread in ns since its start, by its sample; -1 if it is not known
     */
    public PoolAccumulator(
            UnaryOperator<String> naming,
            int maxPools,
            Consumer<PoolTimes> onNewPool,
            ToLongFunction<ThreadSample> runDelays) {
        this.naming = naming;
        this.maxPools = maxPools;
        this.onNewPool = onNewPool;
        this.runDelays = runDelays;
    }

    /**
     * Adds what each thread has cost since the last snapshot. If one of the given functions throws, the next snapshot
     * adds what this one has not.
     *
     * @param snapshot all threads
     * @param nowNs {@link System#nanoTime()} of the snapshot, not less than that of the last one
     */
    public void add(List<ThreadSample> snapshot, long nowNs) {
        Map<Long, Known> living = new HashMap<>(2 * snapshot.size());
        isShortOfPlaces = false;
        pools.values().forEach(PoolTimes::beginSnapshot);
        for (ThreadSample sample : snapshot) {
            Known before = entries.remove(sample.threadId());
            if (before != null) {
                living.put(sample.threadId(), before);
            }
        }
        entries.values().forEach(ended -> endedByTid.put(ended.last.tid(), ended));
        entries = living;
        for (ThreadSample sample : snapshot) {
            Known before = entries.get(sample.threadId());
            Known entry = before == null ? begin(sample) : before;
            book(entry, sample, nowNs);
            if (before == null) {
                entries.put(sample.threadId(), entry);
                endedByTid.remove(sample.tid());
            }
        }
        pools.values().forEach(pool -> pool.endSnapshot(nowNs));
    }

    /**
     * A Java thread that goes on in the kernel thread of another one, as DestroyJavaVM in main's, has that one's time,
     * too.
     */
    private Known begin(ThreadSample sample) {
        Known former = endedByTid.get(sample.tid());
        Known entry = new Known();
        if (former != null && sample.continues(former.last)) {
            entry.userNs = former.userNs;
            entry.systemNs = former.systemNs;
            entry.runDelayNs = former.runDelayNs;
        }
        return entry;
    }

    /**
     * {@return the pools whose places others need, and which have had no threads for five minutes; none if there is
     * room}
     *
     * @param nowNs of the last snapshot
     */
    public List<PoolTimes> dispensable(long nowNs) {
        return !isShortOfPlaces
                ? Collections.emptyList()
                : pools.values().stream()
                        .filter(pool ->
                                pool.emptyNs(nowNs) >= KEPT_NS && !pool.name().equals(OTHER))
                        .collect(Collectors.toList());
    }

    /**
     * Takes the place of a pool, unless it has got threads again. If its name comes back, it is another pool, which
     * begins at 0.
     *
     * @param pool one of {@link #dispensable}
     * @return whether it has no place any more
     */
    public boolean dismiss(PoolTimes pool) {
        return pool.threads() == 0 && pools.remove(pool.name(), pool);
    }

    /**
     * A time that goes backwards, as those of sources for comparison do, counts again when it has caught up. The given
     * functions are called before anything is counted, because they may throw.
     */
    private void book(Known entry, ThreadSample sample, long nowNs) {
        if (!sample.name().equals(entry.threadName)) {
            entry.poolName = naming.apply(sample.name());
            entry.threadName = sample.name();
        }
        PoolTimes pool = pool(entry.poolName);
        long userNs = Math.max(0, sample.userTimeNs() - entry.userNs);
        long systemNs = Math.max(0, sample.systemTimeNs() - entry.systemNs);
        long waitedNs = waitedNs(entry, sample);
        entry.userNs += userNs;
        entry.systemNs += systemNs;
        entry.runDelayNs += waitedNs;
        pool.add(userNs, systemNs, waitedNs, sleptNs(entry, nowNs));
        entry.last = sample;
    }

    /** A thread that has not run since then has its last delay: the kernel adds a wait when it is over. */
    private long waitedNs(Known entry, ThreadSample sample) {
        if (entry.last != null && sample.cpuTimeNs() == entry.last.cpuTimeNs()) {
            return 0;
        }
        long delayNs = runDelays.applyAsLong(sample);
        entry.hasRunDelay |= delayNs != RunDelays.UNKNOWN;
        hasRunDelays |= entry.hasRunDelay;
        return Math.max(0, delayNs - entry.runDelayNs);
    }

    /**
     * The wall time since the thread was last seen, in which it did not want to run. A wait for a CPU that goes on is
     * in it, because the kernel does not tell it yet; when it is over, it is missing from what comes next.
     */
    private static long sleptNs(Known entry, long nowNs) {
        long awayNs = nowNs - entry.userNs - entry.systemNs - entry.runDelayNs;
        boolean isSince = entry.last != null && entry.hasRunDelay;
        long sleptNs = isSince ? Math.max(0, awayNs - entry.awayNs) : 0;
        entry.awayNs = isSince ? entry.awayNs + sleptNs : awayNs;
        return sleptNs;
    }

    /** {@return whether the run delay of any thread has been known; thread-safe} */
    public boolean hasRunDelays() {
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
        onNewPool.accept(pool);
        pools.put(name, pool);
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
        boolean hasRunDelay;

        /** The greatest time away so far: a moment less all that the thread has run and waited for a CPU until then. */
        long awayNs;
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
