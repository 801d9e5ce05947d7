// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.results.Contest;
import io.threadclock.harness.AgentLibrary;
import java.util.List;

/** How the clock has come into a JVM, if it has. */
enum Loading {
    STOCK(Contest.STOCK),
    AGENTPATH(Contest.AGENTPATH),
    ATTACHED(Contest.ATTACHED);

    private final String title;

    Loading(String title) {
        this.title = title;
    }

    /** What a JVM has to be given at its start. */
    List<String> jvmOptions(AgentLibrary agent) {
        return this == AGENTPATH ? List.of(agent.jvmOption("")) : List.of();
    }

    @Override
    public String toString() {
        return title;
    }
}
