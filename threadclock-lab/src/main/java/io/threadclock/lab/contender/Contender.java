// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.contender;

import io.threadclock.diagnostics.ClockBinding;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.lab.results.Contest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The way in which the clock has come into a JVM, or none.
 *
 * @param title its name in results.json
 * @param agentOptions of the agent with which the JVM is started; null without one
 * @param isAttached whether the agent is attached while the JVM runs
 * @param binding of the Java library, empty for the library's own choice; null if the program does not use the library
 */
public record Contender(String title, String agentOptions, boolean isAttached, String binding) {
    public static final Contender STOCK = new Contender(Contest.STOCK, null, false, null);
    public static final Contender THREADCLOCK = agent(Contest.THREADCLOCK, "");
    public static final Contender AGENTPATH = agent(Contest.AGENTPATH, "");
    public static final Contender ATTACHED = new Contender(Contest.ATTACHED, null, true, null);
    public static final Contender LIBRARY = new Contender("library", null, false, "");

    /** The agent with a named source. */
    public static Contender source(String source) {
        return agent("source=" + source, "source=" + source);
    }

    public static Contender library(ClockBinding binding) {
        return new Contender("library " + binding, null, false, binding.name().toLowerCase(Locale.ROOT));
    }

    private static Contender agent(String title, String options) {
        return new Contender(title, options, false, null);
    }

    /** The options with which its JVM is started. The library uses the very file from which agents are loaded. */
    public List<String> jvmOptions(AgentLibrary agent) {
        List<String> options = new ArrayList<>();
        if (agentOptions != null) {
            options.add(agent.jvmOption(agentOptions));
        }
        if (binding != null) {
            options.add("-Dthreadclock.library=" + agent.path());
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        if (binding != null && !binding.isEmpty()) {
            options.add("-Dthreadclock.binding=" + binding);
        }
        return options;
    }
}
