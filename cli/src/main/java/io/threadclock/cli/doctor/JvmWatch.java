// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.CpuQuota;
import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.ProcessFiles;
import io.threadclock.cli.threads.SchedStat;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Watches from outside how the threads of a JVM wait for CPUs, from its creation on. */
record JvmWatch(KernelFiles machine, ProcessFiles process, Map<Integer, SchedStat> begin, List<CpuQuota.Group> groups) {
    private static final SchedStat NEVER_RUN = new SchedStat(0, 0, 0);

    /** @param machine the files of the machine */
    JvmWatch(KernelFiles machine, ProcessFiles process) {
        this(machine, process, threads(process), process.quota(machine).groups());
    }

    private static Map<Integer, SchedStat> threads(ProcessFiles process) {
        Map<Integer, SchedStat> threads = new HashMap<>();
        process.tids().forEach(tid -> SchedStat.ofThread(process, tid).ifPresent(sched -> threads.put(tid, sched)));
        return threads;
    }

    /**
     * The waits since the begin.
     *
     * @return null if the kernel does not tell them
     */
    JvmWaits waits(long elapsedNs) {
        Map<Integer, SchedStat> end = threads(process);
        if (end.isEmpty()) {
            return null;
        }
        long cpuNs = 0;
        long waitingNs = 0;
        for (Map.Entry<Integer, SchedStat> thread : end.entrySet()) {
            SchedStat now = thread.getValue();
            SchedStat then = before(thread.getKey(), now);
            long itsCpuNs = Math.max(0, now.cpuNs() - then.cpuNs());
            // A wait that has ended may have begun before the watch.
            long mostNs = Math.max(0, elapsedNs - itsCpuNs);
            cpuNs += itsCpuNs;
            waitingNs += Math.max(0, Math.min(now.delayNs() - then.delayNs(), mostNs));
        }
        long allCpuNs = cpuNs;
        long allWaitingNs = waitingNs;
        return process.quota(machine).groups().stream()
                .min(Comparator.comparingLong((CpuQuota.Group group) -> -throttledSince(group))
                        .thenComparingDouble(CpuQuota.Group::cpus))
                .map(group -> waits(elapsedNs, allCpuNs, allWaitingNs, group))
                .orElse(new JvmWaits(elapsedNs, allCpuNs, allWaitingNs, null, -1, -1));
    }

    /** A tid may have become another thread's, which has been switched in less often. */
    private SchedStat before(int tid, SchedStat now) {
        SchedStat then = begin.getOrDefault(tid, NEVER_RUN);
        return then.timeslices() <= now.timeslices() ? then : NEVER_RUN;
    }

    private JvmWaits waits(long elapsedNs, long cpuNs, long waitingNs, CpuQuota.Group group) {
        return new JvmWaits(elapsedNs, cpuNs, waitingNs, group, periodsSince(group), throttledSince(group));
    }

    private long periodsSince(CpuQuota.Group now) {
        long then = before(now).periods();
        return then < 0 || now.periods() < 0 ? -1 : now.periods() - then;
    }

    private long throttledSince(CpuQuota.Group now) {
        long then = before(now).throttledPeriods();
        return then < 0 || now.throttledPeriods() < 0 ? -1 : now.throttledPeriods() - then;
    }

    /** A group that had no quota then has throttled nobody since. */
    private CpuQuota.Group before(CpuQuota.Group now) {
        return groups.stream()
                .filter(group -> group.directory().equals(now.directory()))
                .findFirst()
                .orElse(now);
    }
}
