// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.threadclock.CpuQuota;
import io.threadclock.PoolAccumulator;
import io.threadclock.PoolName;
import io.threadclock.PoolTimes;
import io.threadclock.ThreadSample;
import io.threadclock.VirtualPoolTimes;
import io.threadclock.cli.export.ExportedMetric.Figure;
import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.process.Printable;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadSnapshot;
import io.threadclock.cli.threads.VirtualPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adds up the snapshots of one JVM: by pool for its Java and native threads, by kind for the JVM's own. A thread counts
 * once its name is known, and then from its start. Thread-safe.
 */
final class JvmFigures {
    private static final double NS_PER_S = 1e9;
    private static final String USER = "user";
    private static final String SYSTEM = "system";

    /** Pools of the JVM's own threads. No name of a pool begins like this, because it is made visible. */
    private static final String OWN = "\0";

    private static final List<String> OWN_POOLS =
            List.of(OWN + ThreadKind.GC, OWN + ThreadKind.JIT, OWN + ThreadKind.VM);

    private final List<PoolTimes> pools = new ArrayList<>();
    private final PoolAccumulator accumulator = new PoolAccumulator(
            JvmFigures::pool, Bounds.METERED_POOLS + OWN_POOLS.size(), pools::add, this::runDelayNs);

    /** Those that are counted at the moment, by their ids. */
    private Map<Long, ThreadSnapshot> threads = new LinkedHashMap<>();

    private Map<Long, Awaited> awaited = Map.of();
    private Map<String, VirtualPool> virtualPools = Map.of();
    private boolean hasSnapshot;
    private long nowNs = Long.MIN_VALUE;
    private long userNs;
    private long systemNs;
    private long measuringNs;
    private int allowedCpus;
    private Optional<CpuQuota.Group> quota = Optional.empty();

    /** A thread whose name is awaited since it was found. */
    private record Awaited(long foundNs, ThreadSnapshot last) {}

    /** The JVM's own kinds have their places from the beginning. */
    JvmFigures() {
        accumulator.add(
                OWN_POOLS.stream()
                        .map(pool -> ThreadSample.ofOtherProcess(-1L - OWN_POOLS.indexOf(pool), pool, 0, 0))
                        .toList(),
                0);
    }

    /** Pools whose visible names are the same are one. */
    private static String pool(String threadName) {
        return OWN_POOLS.contains(threadName) ? threadName : Printable.line(PoolName.of(threadName));
    }

    synchronized void add(Snapshot snapshot) {
        nowNs = Math.max(nowNs, snapshot.takenNs());
        List<ThreadSnapshot> endedUnnamed = sort(snapshot.threads());
        if (!endedUnnamed.isEmpty()) {
            Map<Long, ThreadSnapshot> living = threads;
            threads = new LinkedHashMap<>(living);
            endedUnnamed.forEach(thread -> threads.put(id(thread), thread));
            accumulate();
            threads = living;
        }
        accumulate();
        accumulator.dispensable(nowNs).stream()
                .filter(pool -> !OWN_POOLS.contains(pool.name()) && accumulator.dismiss(pool))
                .forEach(pools::remove);
        addVirtual(snapshot.virtualPools());
        addProcess(snapshot);
        hasSnapshot = true;
    }

    /**
     * Finds those that count, and those that wait for their names. Returns those that have ended before they had one.
     */
    private List<ThreadSnapshot> sort(List<ThreadSnapshot> all) {
        Map<Long, ThreadSnapshot> counted = new LinkedHashMap<>();
        Map<Long, Awaited> held = new HashMap<>();
        Map<Long, Awaited> before = new HashMap<>(awaited);
        for (ThreadSnapshot thread : all) {
            long id = id(thread);
            Awaited known = before.remove(id);
            long foundNs = known == null ? nowNs : known.foundNs;
            if (thread.kind() == ThreadKind.VIEW) {
                continue;
            }
            if (thread.isNameAwaited()
                    && !threads.containsKey(id)
                    && nowNs - foundNs < ThreadSnapshot.LONGEST_NAME_WAIT_NS) {
                held.put(id, new Awaited(foundNs, thread));
            } else {
                counted.put(id, thread);
            }
        }
        threads = counted;
        awaited = held;
        return before.values().stream().map(Awaited::last).toList();
    }

    /** A tid and its start in steps of 10 ms, of which no two threads of a process have the same. */
    private static long id(ThreadSnapshot thread) {
        return thread.startNs() / 10_000_000 * (Bounds.HIGHEST_TID + 1L) + thread.tid();
    }

    private void accumulate() {
        List<ThreadSample> samples = new ArrayList<>(threads.size());
        threads.forEach((id, thread) -> {
            String own = OWN + thread.kind();
            String name = OWN_POOLS.contains(own) ? own : thread.name();
            samples.add(ThreadSample.ofOtherProcess(id, name, thread.cpuNs(), thread.userNs()));
        });
        accumulator.add(samples, nowNs);
    }

    private long runDelayNs(ThreadSample sample) {
        ThreadSnapshot thread = threads.get(sample.threadId());
        return thread == null || thread.sched() == null ? -1 : thread.sched().delayNs();
    }

    /** Another reader of the same process may tell a little less. */
    private void addProcess(Snapshot snapshot) {
        userNs = Math.max(userNs, snapshot.process().userNs());
        systemNs = Math.max(systemNs, snapshot.process().systemNs());
        measuringNs = Math.max(measuringNs, snapshot.ownCpuNs());
    }

    /** An agent has few, and always the same; another program in its place may tell new ones each time. */
    private void addVirtual(List<VirtualPool> told) {
        Map<String, VirtualPool> now = new HashMap<>();
        Set<String> names = new HashSet<>(virtualPools.keySet());
        for (VirtualPool pool : told) {
            String label = Printable.line(pool.name());
            boolean hasRoom = names.contains(label) || names.size() < Bounds.METERED_POOLS - 1;
            String name = hasRoom ? label : VirtualPoolTimes.OTHERS;
            names.add(name);
            now.merge(name, pool, VirtualPool::plus);
        }
        virtualPools.forEach(now::putIfAbsent);
        virtualPools = now;
    }

    /** The CPUs on which it may run, and the control group that limits it most; each may change at any time. */
    synchronized void confine(int cpus, Optional<CpuQuota.Group> tightest) {
        allowedCpus = cpus;
        quota = tightest.filter(group -> group.periods() != CpuQuota.UNKNOWN);
    }

    /** All that is known of it; nothing before the first snapshot. */
    synchronized List<Figure> now() {
        List<Figure> figures = new ArrayList<>();
        if (hasSnapshot) {
            pools.forEach(pool -> addPool(pool, figures));
            virtualPools.forEach((name, pool) -> addVirtual(name, pool, figures));
            addProcess(figures);
            quota.ifPresent(group -> addQuota(group, figures));
        }
        return figures;
    }

    private void addPool(PoolTimes pool, List<Figure> to) {
        String name = pool.name();
        if (OWN_POOLS.contains(name)) {
            to.add(seconds(ExportedMetric.JVM_CPU_TIME, pool.userTimeNs() + pool.systemTimeNs(), name.substring(1)));
            return;
        }
        to.add(seconds(ExportedMetric.POOL_CPU_TIME, pool.userTimeNs(), name, USER));
        to.add(seconds(ExportedMetric.POOL_CPU_TIME, pool.systemTimeNs(), name, SYSTEM));
        to.add(ExportedMetric.POOL_THREADS.figure(pool.threads(), name));
        if (accumulator.hasRunDelays()) {
            to.add(seconds(ExportedMetric.POOL_RUN_DELAY, pool.runDelayNs(), name));
            to.add(seconds(ExportedMetric.POOL_NOT_RUNNING, pool.notRunningNs(), name));
        }
    }

    private static void addVirtual(String name, VirtualPool pool, List<Figure> to) {
        to.add(seconds(ExportedMetric.VIRTUAL_CPU_TIME, pool.userNs(), name, USER));
        to.add(seconds(ExportedMetric.VIRTUAL_CPU_TIME, pool.systemNs(), name, SYSTEM));
        if (!pool.isRest()) {
            to.add(ExportedMetric.VIRTUAL_MOUNTS.figure(pool.mounts(), name));
            to.add(ExportedMetric.VIRTUAL_THREADS.figure(pool.threads(), name));
        }
    }

    private void addProcess(List<Figure> to) {
        to.add(seconds(ExportedMetric.PROCESS_CPU_TIME, userNs, USER));
        to.add(seconds(ExportedMetric.PROCESS_CPU_TIME, systemNs, SYSTEM));
        to.add(ExportedMetric.PROCESS_ALLOWED.figure(allowedCpus));
        to.add(seconds(ExportedMetric.MEASURING_CPU_TIME, measuringNs, "snapshots"));
    }

    private static void addQuota(CpuQuota.Group group, List<Figure> to) {
        to.add(ExportedMetric.CGROUP_QUOTA.figure(group.cpus()));
        to.add(ExportedMetric.CGROUP_PERIODS.figure(group.periods()));
        to.add(ExportedMetric.CGROUP_THROTTLED_PERIODS.figure(group.throttledPeriods()));
        to.add(seconds(ExportedMetric.CGROUP_THROTTLED_TIME, group.throttledTimeNs()));
    }

    private static Figure seconds(ExportedMetric metric, long ns, String... of) {
        return metric.figure(ns / NS_PER_S, of);
    }
}
