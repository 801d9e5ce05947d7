// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.view;

/** What can be asked of a JVM beside the view in it. Each may take long, or may come to nothing. */
public interface Jvm {
    boolean hasEnded();

    /** Its list of its threads' stacks; empty if it cannot be had. The program stands still while it is written. */
    String stacks();

    /** Has the agent find out who carries virtual threads now: it knows of those that were there when it was attached. */
    void findCarriers();
}
