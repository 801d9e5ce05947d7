// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Takes snapshots of all threads of one process. Only one thread may use it. */
public interface ThreadReader extends AutoCloseable {
    /**
     * Takes a snapshot of the times of all threads.
     *
     * @throws ProcessEnded if the process has ended, or has closed the connection: no snapshot will ever follow
     * @throws ProcessSilent if it does not answer in time, for instance because it is stopped: try again later
     */
    Snapshot snapshot();

    /**
     * The stacks of some threads as the JVM writes them at one moment, each with the thread's name and state first;
     * those that are not available are missing. This may take long, and may be called while another thread takes a
     * snapshot. The program stands still while all stacks are written.
     */
    default Map<Integer, List<String>> stacks(Set<Integer> tids) {
        return Map.of();
    }

    /** In which respect it is less exact than another reader could be, in a few words; empty: in none. */
    default String coarseness() {
        return "";
    }

    /**
     * The time between two snapshots for which the process's budget pays for ever, as it was told with the last one; 0:
     * any.
     */
    default long periodNs() {
        return 0;
    }

    /** Leaves nothing behind, in the process or in the file system. */
    @Override
    default void close() {}
}
