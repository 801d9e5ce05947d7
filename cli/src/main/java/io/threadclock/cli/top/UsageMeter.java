// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.threads.ProcessSnapshot;
import io.threadclock.cli.threads.SchedStat;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadSnapshot;
import io.threadclock.cli.threads.VirtualPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes usage from consecutive snapshots. It is unknown in the first one, and of anything that was not read again
 * since: the agent's budget may not allow to read thousands of threads, or their process, each time.
 */
public final class UsageMeter {
    private static final SchedStat NEVER_RUN = new SchedStat(0, 0, 0);

    private Map<Integer, ThreadRate> last = Map.of();
    private Snapshot lastSnapshot;
    private Rate process = Rate.UNKNOWN;
    private ProcessSnapshot lastProcess;

    public UsageSample take(Snapshot snapshot) {
        List<ThreadRate> usages = new ArrayList<>(snapshot.threads().size());
        Map<Integer, ThreadRate> next = new HashMap<>();
        for (ThreadSnapshot thread : snapshot.threads()) {
            ThreadRate usage = rate(thread);
            usages.add(usage);
            next.put(thread.tid(), usage);
        }
        updateProcess(snapshot.process());
        long elapsedNs = lastSnapshot == null ? 0 : snapshot.takenNs() - lastSnapshot.takenNs();
        double ownRatio = lastSnapshot == null
                ? 0
                : (double) (snapshot.ownCpuNs() - lastSnapshot.ownCpuNs()) / Math.max(1, elapsedNs);
        List<PoolRate> pools = snapshot.virtualPools().stream()
                .map(pool -> rate(pool, elapsedNs))
                .toList();
        last = next;
        lastSnapshot = snapshot;
        return new UsageSample(snapshot, elapsedNs, usages, process, ownRatio, pools, Map.of());
    }

    /** A pool that is new has used its time since the last snapshot, because there is no other begin of it. */
    private PoolRate rate(VirtualPool now, long elapsedNs) {
        VirtualPool then = lastSnapshot == null
                ? now
                : lastSnapshot.virtualPools().stream()
                        .filter(pool -> pool.number() == now.number())
                        .findFirst()
                        .orElse(now.atBegin());
        double mountsPerS = elapsedNs <= 0 ? 0 : (now.mounts() - then.mounts()) * 1e9 / elapsedNs;
        return new PoolRate(
                now, Rate.of(now.userNs() - then.userNs(), now.systemNs() - then.systemNs(), elapsedNs), mountsPerS);
    }

    /** A thread that was not read again keeps its last usage. */
    private ThreadRate rate(ThreadSnapshot now) {
        ThreadRate before = last.get(now.tid());
        if (before == null || !before.thread().isSameThread(now)) {
            return lastSnapshot == null ? new ThreadRate(now, Rate.UNKNOWN, null) : sinceStart(now);
        }
        ThreadSnapshot then = before.thread();
        long elapsedNs = now.readNs() - then.readNs();
        return elapsedNs <= 0
                ? new ThreadRate(now, before.rate(), before.waits())
                : rate(
                        now,
                        Rate.of(now.userNs() - then.userNs(), now.systemNs() - then.systemNs(), elapsedNs),
                        then.sched(),
                        elapsedNs);
    }

    private static ThreadRate rate(ThreadSnapshot now, Rate rate, SchedStat then, long elapsedNs) {
        return new ThreadRate(now, rate, WaitRate.of(then, now.sched(), rate.cpu(), elapsedNs));
    }

    /** The thread started after the last snapshot, or was not listed in it. */
    private ThreadRate sinceStart(ThreadSnapshot now) {
        long elapsedNs = Math.max(now.readNs() - lastSnapshot.takenNs(), now.cpuNs());
        return rate(now, Rate.of(now.userNs(), now.systemNs(), elapsedNs), NEVER_RUN, elapsedNs);
    }

    private void updateProcess(ProcessSnapshot now) {
        if (lastProcess != null && now.readNs() > lastProcess.readNs()) {
            process = Rate.of(
                    now.userNs() - lastProcess.userNs(),
                    now.systemNs() - lastProcess.systemNs(),
                    now.readNs() - lastProcess.readNs());
        }
        if (lastProcess == null || now.readNs() > lastProcess.readNs()) {
            lastProcess = now;
        }
    }
}
