// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.contender;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.lab.results.Contest;
import java.util.List;

/**
 * How the clock has come into a JVM, if it has.
 *
 * @param title by which results.json names it
 * @param agentOptions of the agent that the JVM is started with; null without one
 * @param isAttached whether the agent comes while the JVM runs
 * @param isLibrary whether the program uses the Java library
 */
public record Contender(String title, String agentOptions, boolean isAttached, boolean isLibrary) {
    public static final Contender STOCK = new Contender(Contest.STOCK, null, false, false);
    public static final Contender THREADCLOCK = new Contender(Contest.THREADCLOCK, "", false, false);
    public static final Contender AGENTPATH = new Contender(Contest.AGENTPATH, "", false, false);
    public static final Contender ATTACHED = new Contender(Contest.ATTACHED, null, true, false);
    public static final Contender LIBRARY = new Contender("library", null, false, true);

    /** The agent, with a source that is named. */
    public static Contender source(String source) {
        String options = "source=" + source;
        return new Contender(options, options, false, false);
    }

    /** What its JVM is started with. The library is given the very file that agents are loaded from. */
    List<String> jvmOptions(AgentLibrary agent) {
        if (isLibrary) {
            return List.of("-Dthreadclock.library=" + agent.path(), "--enable-native-access=ALL-UNNAMED");
        }
        return agentOptions == null ? List.of() : List.of(agent.jvmOption(agentOptions));
    }
}
