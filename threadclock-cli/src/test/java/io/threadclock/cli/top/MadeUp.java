// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.threads.ProcessSnapshot;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadSnapshot;
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

    static Snapshot snapshot(long takenNs, ThreadSnapshot... threads) {
        return new Snapshot(
                takenNs,
                Instant.EPOCH.plusNanos(takenNs),
                new ProcessSnapshot(takenNs / 2, takenNs / 4, takenNs),
                List.of(threads),
                threads.length,
                "rseq",
                takenNs / 1000);
    }

    static ThreadRate usage(int tid, String name, double user, double system, long cpuNs) {
        return new ThreadRate(thread(tid, name, cpuNs, cpuNs / 2, 0), new Rate(user, system));
    }

    static UsageSample sample(ThreadRate... usages) {
        return new UsageSample(snapshot(S), S, List.of(usages), new Rate(0.75, 0.25), 0.001);
    }
}
