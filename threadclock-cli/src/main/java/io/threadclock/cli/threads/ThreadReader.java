// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import java.util.List;

/** Takes snapshots of all threads of one process. For one thread at a time. */
public interface ThreadReader extends AutoCloseable {
    /**
     * What the threads have cost by now.
     *
     * @throws ProcessEnded if the process has ended, or has sent us away: no snapshot will ever follow
     * @throws ProcessSilent if it does not answer in time, for instance because it is stopped: try again later
     */
    Snapshot snapshot();

    /**
     * The stack of a thread, as the JVM writes it: its name and state first; empty: it cannot be had. May take long; may be
     * asked for while another thread takes a snapshot. The program stands still while all stacks are written.
     */
    default List<String> stack(int tid) {
        return List.of();
    }

    /** What it tells less well than another way could, in a few words; empty: nothing. */
    String coarseness();

    /** Leaves nothing behind, in the process or in the file system. */
    @Override
    void close();
}
