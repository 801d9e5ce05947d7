// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

/** Requests to a JVM other than the snapshots of its agent. Each may take long, or fail. */
public interface JvmRequests {
    boolean hasEnded();

    /**
     * The stacks of all its threads; empty if they are not available. The program stands still while the JVM writes
     * them.
     */
    String stacks();

    /** Makes the agent look for carriers again. It only knows those that were there when it was attached. */
    void findCarriers();
}
