// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import java.util.Optional;

/** Asks about a JVM what the snapshots of its agent do not tell. Requests to the JVM itself may take long, or fail. */
public interface JvmRequests {
    boolean hasEnded();

    /**
     * The stacks of all its threads; empty if they are not available. The program stands still while the JVM writes
     * them.
     */
    String stacks();

    /** How a thread has waited for CPUs, as the kernel shows it from outside; empty if it does not. */
    default Optional<SchedStat> schedStat(int tid) {
        return Optional.empty();
    }

    /** Makes the agent look for carriers again. It only knows those that were there when it was attached. */
    void findCarriers();
}
