// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import io.threadclock.ClockBinding;
import io.threadclock.harness.AgentLibrary;
import java.util.List;
import java.util.Locale;

/**
 * Whose clock a JVM has.
 *
 * @param agentOptions null without the agent
 * @param binding the library's, or null where only ThreadMXBean or nothing is asked
 */
record Clock(String agentOptions, ClockBinding binding) {
    static final Clock STOCK = new Clock(null, null);

    static Clock agent(String options) {
        return new Clock(options, null);
    }

    static Clock library(ClockBinding binding) {
        return new Clock(null, binding);
    }

    /** The library is given the very file that the agent is. */
    List<String> jvmOptions(AgentLibrary agent) {
        if (binding != null) {
            return List.of(
                    "-Dthreadclock.library=" + agent.path(),
                    "-Dthreadclock.binding=" + binding.name().toLowerCase(Locale.ROOT));
        }
        return agentOptions == null ? List.of() : List.of(agent.jvmOption(agentOptions));
    }
}
