// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.threads.Snapshot;
import java.util.List;
import java.util.Map;

/**
 * The threads' usage between two snapshots.
 *
 * @param elapsedNs the time between the two; 0 for the first snapshot
 * @param process usage of all threads together; it is read less often the more threads there are
 * @param ownRatio what taking snapshots costs the process, as a ratio of one core
 * @param pools measured virtual threads, and their carriers' rest
 * @param allocations by tid, of the threads of which they are known
 */
public record UsageSample(
        Snapshot snapshot,
        long elapsedNs,
        List<ThreadRate> threads,
        Rate process,
        double ownRatio,
        List<PoolRate> pools,
        Map<Integer, Allocation> allocations) {
    UsageSample with(Map<Integer, Allocation> allocations) {
        return new UsageSample(snapshot, elapsedNs, threads, process, ownRatio, pools, allocations);
    }
}
