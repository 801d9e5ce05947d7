// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.threadclock.PoolName;
import io.threadclock.VirtualPoolTimes;
import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.process.Printable;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadSnapshot;
import io.threadclock.cli.threads.VirtualPool;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Adds up a JVM's snapshots: by pool for its Java and native threads, by kind for the JVM's own. A thread counts once its
 * name is known, and then from its start. One thread adds.
 */
final class JvmTotals {
    /** The pool of all threads that came when there were {@link Bounds#METERED_POOLS}. */
    static final String OTHER = "other";

    /** The kinds of the JVM's own threads, which have no pools. */
    static final List<ThreadKind> KINDS = List.of(ThreadKind.GC, ThreadKind.JIT, ThreadKind.VM);

    /** In this time, a registry that asks each minute has seen the last state of a pool several times. */
    static final long KEPT_NS = TimeUnit.MINUTES.toNanos(5);

    /** Is told of pools, before they have their first thread, and when they have had none for long. */
    interface Listener {
        /** @param hasWaits whether the kernel tells how its threads wait */
        void onPool(String name, PoolTotals pool, boolean hasWaits);

        void onPoolGone(String name);

        void onVirtualPool(String name);
    }

    private final Listener listener;
    private final Map<String, PoolTotals> pools = new HashMap<>();
    private final Map<ThreadKind, PoolTotals> kinds = new EnumMap<>(ThreadKind.class);
    private Map<Integer, Known> threads = Map.of();
    private volatile Map<String, VirtualPool> virtualPools = Map.of();
    private volatile Snapshot last;

    JvmTotals(Listener listener) {
        this.listener = listener;
        KINDS.forEach(kind -> kinds.put(kind, new PoolTotals()));
    }

    /** The JVM's own threads of one of the {@link #KINDS}. */
    PoolTotals of(ThreadKind kind) {
        return kinds.get(kind);
    }

    /** The last snapshot; null before the first. */
    Snapshot last() {
        return last;
    }

    /** A pool of virtual threads in the last snapshot that has it. */
    VirtualPool virtualPool(String name) {
        return virtualPools.get(name);
    }

    void take(Snapshot snapshot) {
        long nowNs = snapshot.takenNs();
        Map<Integer, Known> living = new HashMap<>();
        for (ThreadSnapshot thread : snapshot.threads()) {
            Known known = threads.get(thread.tid());
            if (known == null || !known.last.isSameThread(thread)) {
                known = new Known(nowNs);
            }
            count(known, thread, nowNs);
            living.put(thread.tid(), known);
        }
        threads.forEach((tid, known) -> {
            if (living.get(tid) != known) {
                countEnded(known);
            }
        });
        threads = living;
        kinds.values().forEach(kind -> kind.endSnapshot(nowNs));
        pools.values().forEach(pool -> pool.endSnapshot(nowNs));
        removeEmpty(nowNs);
        last = snapshot;
        findVirtualPools(snapshot);
    }

    private void count(Known known, ThreadSnapshot thread, long nowNs) {
        boolean isHeld = known.counted == null
                && thread.isNameAwaited()
                && nowNs - known.foundNs < ThreadSnapshot.LONGEST_NAME_WAIT_NS;
        if (!isHeld && thread.kind() != ThreadKind.VIEW) {
            if (known.totals == null
                    || !known.last.name().equals(thread.name())
                    || known.last.kind() != thread.kind()) {
                known.totals = of(thread);
            }
            known.totals.add(known.counted, thread);
            known.totals.count();
            known.counted = thread;
        }
        known.last = thread;
    }

    /** A thread that has ended before its name was known counts by the kernel's. */
    private void countEnded(Known known) {
        if (known.counted == null && known.last.kind() != ThreadKind.VIEW) {
            of(known.last).add(null, known.last);
        }
    }

    private PoolTotals of(ThreadSnapshot thread) {
        PoolTotals kind = kinds.get(thread.kind());
        return kind != null ? kind : pool(label(PoolName.of(thread.name())), thread.sched() != null);
    }

    private PoolTotals pool(String name, boolean hasWaits) {
        PoolTotals known = pools.get(name);
        if (known != null) {
            return known;
        }
        if (pools.size() >= Bounds.METERED_POOLS - 1 && !name.equals(OTHER)) {
            return pool(OTHER, hasWaits);
        }
        PoolTotals pool = new PoolTotals();
        pools.put(name, pool);
        listener.onPool(name, pool, hasWaits);
        return pool;
    }

    /** If its name comes back, it is another pool, which begins at 0. */
    private void removeEmpty(long nowNs) {
        List<String> empty = pools.entrySet().stream()
                .filter(pool -> pool.getValue().emptyNs(nowNs) >= KEPT_NS)
                .map(Map.Entry::getKey)
                .toList();
        empty.forEach(name -> {
            pools.remove(name);
            listener.onPoolGone(name);
        });
    }

    /** A name as a label: one line of visible characters. Pools whose labels are the same are one. */
    private static String label(String name) {
        return Printable.line(name);
    }

    private void findVirtualPools(Snapshot snapshot) {
        Map<String, VirtualPool> before = virtualPools;
        Map<String, VirtualPool> now = new HashMap<>();
        Set<String> names = new HashSet<>(before.keySet());
        for (VirtualPool pool : snapshot.virtualPools()) {
            String label = label(pool.name());
            boolean hasRoom = names.contains(label) || names.size() < Bounds.METERED_POOLS - 1;
            String name = hasRoom ? label : VirtualPoolTimes.OTHERS;
            names.add(name);
            now.merge(name, pool, VirtualPool::plus);
        }
        before.forEach(now::putIfAbsent);
        virtualPools = Map.copyOf(now);
        now.keySet().stream().filter(name -> !before.containsKey(name)).forEach(listener::onVirtualPool);
    }

    /** The known facts of a thread. */
    private static final class Known {
        final long foundNs;
        ThreadSnapshot last;

        /** The last snapshot that was added to a pool; null while its name is awaited. */
        ThreadSnapshot counted;

        /** Those of its pool or kind, once it is counted. */
        PoolTotals totals;

        Known(long foundNs) {
            this.foundNs = foundNs;
        }
    }
}
