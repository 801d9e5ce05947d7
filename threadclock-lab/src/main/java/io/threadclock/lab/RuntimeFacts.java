// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.program.ClockFacts;
import io.threadclock.lab.results.Origin;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;

/** What belongs to the figures of one JDK. */
final class RuntimeFacts {
    private RuntimeFacts() {}

    static Origin.Runtime of(Jdk jdk, AgentLibrary agent) {
        try (BenchChild child = LibraryChild.start(jdk, agent, ClockFacts.class)) {
            String[] facts = child.ask("facts").split(" ");
            return new Origin.Runtime(jdk.version(), jdk.vendor(), facts[0], facts[1]);
        }
    }
}
