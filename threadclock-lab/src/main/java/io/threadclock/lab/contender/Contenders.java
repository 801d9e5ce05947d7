// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.contender;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.Exchange;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JVMs with the same program, which differ in how the clock has come into them. All are alive, and each measures while
 * the others wait, so that disturbances of the machine affect all of them.
 */
public final class Contenders implements AutoCloseable {
    private final Map<Contender, Exchange> children = new LinkedHashMap<>();

    public Contenders(Jdk jdk, AgentLibrary agent, List<Contender> all, Class<?> program, String... jvmOptions) {
        try {
            for (Contender contender : all) {
                children.put(contender, start(jdk, program, contender.jvmOptions(agent), jvmOptions));
            }
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    private static Exchange start(Jdk jdk, Class<?> program, List<String> contenders, String... questions) {
        return new Exchange(
                program.getSimpleName() + " on " + jdk,
                ChildJvm.on(jdk)
                        // The collector with the fewest threads, and none of them busy: the programs make no garbage.
                        .jvmOptions("-Xmx256m", "-Xss256k", "-XX:+UseSerialGC", "-XX:-UsePerfData")
                        .jvmOptions(questions)
                        .jvmOptions(contenders)
                        .mainClass(program));
    }

    public Exchange of(Contender contender) {
        return children.get(contender);
    }

    /** All contenders; each round begins with another one. */
    public List<Contender> inTurn(int round) {
        List<Contender> turns = new ArrayList<>(children.keySet());
        Collections.rotate(turns, round);
        return turns;
    }

    /** Asks each of them for work that is not counted. */
    public void ask(Object request) {
        children.values().forEach(child -> child.ask(request, Object.class));
    }

    /**
     * Requires that every agent has taken over.
     *
     * @throws SetupException if one has refused
     */
    public void requireAgents() {
        children.forEach((contender, child) -> {
            if (contender.isAttached() || contender.agentOptions() != null) {
                requireAgent(child);
            }
        });
    }

    /** @throws SetupException if the agent has reported that it does not work there */
    public static void requireAgent(Exchange child) {
        AgentLibrary.refusalIn(child.agentLines()).ifPresent(line -> {
            throw new SetupException("Loading the agent into " + child + ": it answered \"" + line
                    + "\". Without it there is nothing to compare: do as the line says, then run it again.");
        });
    }

    /** Drops the contenders whose agent has refused, and returns their messages. */
    public List<String> dropRefused() {
        List<String> said = new ArrayList<>();
        children.values().removeIf(child -> {
            boolean refused = AgentLibrary.refusalIn(child.agentLines()).isPresent();
            if (refused) {
                said.addAll(child.agentLines());
                child.close();
            }
            return refused;
        });
        return said;
    }

    /** The messages of all agents; demotions, if none has refused. */
    public List<String> agentLines() {
        return children.values().stream()
                .flatMap(child -> child.agentLines().stream())
                .toList();
    }

    @Override
    public void close() {
        children.values().forEach(Exchange::close);
    }
}
