// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.results.Contest;
import io.threadclock.harness.AgentLibrary;
import java.util.List;

/** Whose clock ThreadMXBean reads in a JVM. */
enum ClockChoice {
    STOCK(Contest.STOCK, null),
    AUTO(Contest.THREADCLOCK, ""),
    PERF("source=perf", "source=perf"),
    CLOCK("source=clock", "source=clock"),
    TICKS("source=ticks", "source=ticks"),
    PROC("source=proc", "source=proc");

    private final String title;
    private final String agentOptions;

    ClockChoice(String title, String agentOptions) {
        this.title = title;
        this.agentOptions = agentOptions;
    }

    /** What a JVM has to be given for it. */
    List<String> jvmOptions(AgentLibrary agent) {
        return agentOptions == null ? List.of() : List.of(agent.jvmOption(agentOptions));
    }

    @Override
    public String toString() {
        return title;
    }
}
