// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import java.util.List;

/** What an agent says that does not work: one line on standard error, while the JVM runs on without it. */
final class AgentRefusal {
    /** A source that is given up while it runs: the agent goes on with the next one, and so does the demo. */
    private static final String DEMOTION = "is not used any more";

    private AgentRefusal() {}

    /**
     * Looks for it in what a JVM with the agent has written, statistics left aside.
     *
     * @throws SetupException if the agent has said that it does not work there
     */
    static void requireNone(List<String> stderrLines, Jdk jdk) {
        List<String> complaints = AgentLibrary.linesOf(stderrLines).stream()
                .filter(line -> !line.contains(DEMOTION))
                .toList();
        if (!complaints.isEmpty()) {
            throw new SetupException("Loading the agent into " + jdk + ": it answered \"" + complaints.get(0)
                    + "\". Without it there is nothing to compare: do as the line says, then start the demo again.");
        }
    }
}
