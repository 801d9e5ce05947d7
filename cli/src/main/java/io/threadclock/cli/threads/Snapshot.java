// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import java.time.Instant;
import java.util.List;

/**
 * All threads of a process at one moment.
 *
 * @param takenNs the moment, as {@link System#nanoTime()}
 * @param wall the moment as a date
 * @param threads by age
 * @param threadCount the number of threads; for a moment after many have started, this is more than are listed
 * @param source where the times come from, by the agent's name for it; {@code proc}: /proc
 * @param ownCpuNs CPU time that serving snapshots has cost the process so far
 * @param virtualPools the measured virtual threads, the carriers' rest first; empty if there are none. Their time is
 *     part of that of the carriers, which are among the threads
 */
public record Snapshot(
        long takenNs,
        Instant wall,
        ProcessSnapshot process,
        List<ThreadSnapshot> threads,
        int threadCount,
        String source,
        long ownCpuNs,
        List<VirtualPool> virtualPools) {
    /**
     * Age of the oldest reading in this snapshot. The agent's budget may not allow it to read all threads each time.
     */
    public long oldestReadingNs() {
        return threads.stream().mapToLong(thread -> takenNs - thread.readNs()).reduce(0, Math::max);
    }

    public boolean isComplete() {
        return threads.size() >= threadCount;
    }
}
