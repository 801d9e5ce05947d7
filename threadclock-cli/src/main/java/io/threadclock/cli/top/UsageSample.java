// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.threads.Snapshot;
import java.util.List;

/**
 * The threads' usage between two snapshots.
 *
 * @param elapsedNs the time between the two; 0 for the first snapshot
 * @param process usage of all threads together; it is read less often the more threads there are
 * @param ownRatio what taking snapshots costs the process, as a ratio of one core
 * @param pools accounted virtual threads, and their carriers' rest
 */
public record UsageSample(
        Snapshot snapshot,
        long elapsedNs,
        List<ThreadRate> threads,
        Rate process,
        double ownRatio,
        List<PoolRate> pools) {}
