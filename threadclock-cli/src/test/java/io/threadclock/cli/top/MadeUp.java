// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.view.Look;
import io.threadclock.cli.view.ProcessLook;
import io.threadclock.cli.view.ThreadKind;
import io.threadclock.cli.view.ThreadLook;
import java.time.Instant;
import java.util.List;

/** Looks at threads that nobody has. */
final class MadeUp {
    static final long S = 1_000_000_000;
    static final long MS = 1_000_000;

    private MadeUp() {}

    static ThreadLook thread(int tid, String name, long cpuNs, long userNs, long readNs) {
        return new ThreadLook(tid, 5, tid + 100, name, ThreadKind.of(name, true), cpuNs, userNs, readNs);
    }

    static Look look(long takenNs, ThreadLook... threads) {
        return new Look(
                takenNs,
                Instant.EPOCH.plusNanos(takenNs),
                new ProcessLook(takenNs / 2, takenNs / 4, takenNs),
                List.of(threads),
                threads.length,
                "rseq",
                takenNs / 1000);
    }

    static ThreadUsage usage(int tid, String name, double user, double system, long cpuNs) {
        return new ThreadUsage(thread(tid, name, cpuNs, cpuNs / 2, 0), new Rate(user, system));
    }

    static Sample sample(ThreadUsage... usages) {
        return new Sample(look(S), S, List.of(usages), new Rate(0.75, 0.25), 0.001);
    }
}
