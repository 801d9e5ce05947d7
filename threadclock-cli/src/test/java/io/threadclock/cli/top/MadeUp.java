// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.threads.ProcessSnapshot;
import io.threadclock.cli.threads.SchedStat;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadSnapshot;
import io.threadclock.cli.threads.VirtualPool;
import java.time.Instant;
import java.util.List;

/** Snapshots of fake threads. */
final class MadeUp {
    static final long S = 1_000_000_000;
    static final long MS = 1_000_000;

    private MadeUp() {}

    static ThreadSnapshot thread(int tid, String name, long cpuNs, long userNs, long readNs) {
        return new ThreadSnapshot(tid, 5, tid + 100, name, ThreadKind.of(name, true), cpuNs, userNs, readNs);
    }

    /** A thread that has waited for that long, and was switched in so often. */
    static ThreadSnapshot waited(long delayNs, long timeslices, ThreadSnapshot its) {
        return new ThreadSnapshot(
                its.tid(),
                its.startNs(),
                its.javaId(),
                its.name(),
                its.kind(),
                its.cpuNs(),
                its.userNs(),
                its.readNs(),
                its.isNameAwaited(),
                new SchedStat(its.cpuNs(), delayNs, timeslices));
    }

    static Snapshot snapshot(long takenNs, ThreadSnapshot... threads) {
        return new Snapshot(
                takenNs,
                Instant.EPOCH.plusNanos(takenNs),
                new ProcessSnapshot(takenNs / 2, takenNs / 4, takenNs),
                List.of(threads),
                threads.length,
                "rseq",
                takenNs / 1000,
                List.of());
    }

    static ThreadRate usage(int tid, String name, double user, double system, long cpuNs) {
        return new ThreadRate(thread(tid, name, cpuNs, cpuNs / 2, 0), new Rate(user, system), null);
    }

    static ThreadRate waiting(double ratio, double switchesPerS, ThreadRate its) {
        return new ThreadRate(its.thread(), its.rate(), new WaitRate(ratio, switchesPerS));
    }

    static VirtualPool pool(int number, String name, long cpuNs, long mounts) {
        VirtualPool.Kind kind = number == 0 ? VirtualPool.Kind.REST : VirtualPool.Kind.NAMED;
        return new VirtualPool(number, kind, name, cpuNs, cpuNs / 2, mounts, 3);
    }

    static Snapshot snapshot(long takenNs, List<VirtualPool> pools) {
        Snapshot threads = snapshot(takenNs);
        return new Snapshot(takenNs, threads.wall(), threads.process(), List.of(), 0, "rseq", 0, pools);
    }

    /** With two pools of virtual threads, and their carriers' rest. */
    static UsageSample sampleWithPools(ThreadRate... usages) {
        UsageSample sample = sample(usages);
        List<PoolRate> pools = List.of(
                new PoolRate(pool(0, "(carriers' rest)", S, 0), new Rate(0.25, 0.25), 0),
                new PoolRate(pool(2, "idle-*", 0, 5), new Rate(0, 0), 0),
                new PoolRate(pool(3, "handler-*", 2 * S, 1000), new Rate(0.5, 0.125), 1234.5));
        return new UsageSample(
                sample.snapshot(), sample.elapsedNs(), sample.threads(), sample.process(), sample.ownRatio(), pools);
    }

    static UsageSample sample(ThreadRate... usages) {
        return new UsageSample(snapshot(S), S, List.of(usages), new Rate(0.75, 0.25), 0.001, List.of());
    }
}
