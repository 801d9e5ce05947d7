// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.view;

import java.util.List;

/** Looks at all threads of one process. For one thread at a time. */
public interface ThreadView extends AutoCloseable {
    /**
     * What the threads have cost by now.
     *
     * @throws ViewEnded if the process has ended, or has sent us away: no look will ever follow
     * @throws ViewSilent if it does not answer in time, for instance because it is stopped: look again later
     */
    Look look();

    /**
     * The stack of a thread, as the JVM writes it: its name and state first; empty: it cannot be had. May take long; may be
     * asked for while another thread looks. The program stands still while all stacks are written.
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
