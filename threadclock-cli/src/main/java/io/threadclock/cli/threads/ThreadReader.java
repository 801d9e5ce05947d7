// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import java.util.List;

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
     * The stack of a thread as the JVM writes it, with its name and state first; empty if it is not available. This may
     * take long, and may be called while another thread takes a snapshot. The program stands still while all stacks are
     * written.
     */
    default List<String> stack(int tid) {
        return List.of();
    }

    /** In which respect it is less exact than another reader could be, in a few words; empty: in none. */
    String coarseness();

    /** Leaves nothing behind, in the process or in the file system. */
    @Override
    void close();
}
