// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

/** What can be asked of a JVM beside the snapshots of its agent. Each request may take long, or may come to nothing. */
public interface JvmRequests {
    boolean hasEnded();

    /** Its list of its threads' stacks; empty if it cannot be had. The program stands still while it is written. */
    String stacks();

    /** Has the agent find out who carries virtual threads now: it knows of those that were there when it was attached. */
    void findCarriers();
}
