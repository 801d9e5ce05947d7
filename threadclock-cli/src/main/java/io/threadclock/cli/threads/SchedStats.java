// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * How the threads of a JVM have waited for CPUs, which the agent does not tell. This takes a file of each thread, and is
 * read of those that have run since: the kernel counts a wait when it switches the thread in, so the figures of the
 * others have not moved.
 */
final class SchedStats {
    private final IntFunction<Optional<SchedStat>> files;
    private Map<Integer, ThreadSnapshot> last = Map.of();

    /** @param files the file of each tid */
    SchedStats(IntFunction<Optional<SchedStat>> files) {
        this.files = files;
    }

    /** The same threads, with their waits. */
    List<ThreadSnapshot> addedTo(List<ThreadSnapshot> threads) {
        List<ThreadSnapshot> all = new ArrayList<>(threads.size());
        Map<Integer, ThreadSnapshot> next = new HashMap<>();
        for (ThreadSnapshot thread : threads) {
            ThreadSnapshot before = last.get(thread.tid());
            boolean hasRun = before == null || !before.isSameThread(thread) || before.cpuNs() != thread.cpuNs();
            ThreadSnapshot now =
                    thread.withSched(hasRun ? files.apply(thread.tid()).orElse(null) : before.sched());
            all.add(now);
            next.put(now.tid(), now);
        }
        last = next;
        return all;
    }
}
