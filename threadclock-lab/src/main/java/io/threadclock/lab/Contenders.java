// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.results.ResultsDraft;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * JVMs with one program that differ in how the clock has come into them. All are alive, and each measures while the
 * others wait, so that whatever else happens on the machine happens to all.
 */
final class Contenders implements AutoCloseable {
    private final Jdk jdk;
    private final Map<Loading, BenchChild> children = new EnumMap<>(Loading.class);

    /** @param first a request; a JVM that has not answered any may not be up yet, and attaching to it would end it */
    Contenders(Jdk jdk, AgentLibrary agent, Class<?> program, Object first, String... jvmOptions) {
        this.jdk = jdk;
        try {
            for (Loading loading : Loading.values()) {
                List<String> options = new ArrayList<>(List.of(jvmOptions));
                options.addAll(loading.jvmOptions(agent));
                children.put(loading, new BenchChild(jdk, program, options));
            }
            ask(first);
            new LateAgent(agent).attachTo(children.get(Loading.ATTACHED));
        } catch (RuntimeException failure) {
            close();
            throw failure;
        }
    }

    /** Asks all of them for what is not to be counted. */
    void warmUp(Object request) {
        ask(request);
        children.values().forEach(child -> AgentLibrary.refusalIn(child.agentLines())
                .ifPresent(Contenders::refuse));
    }

    /** Asks one after the other for ns; each round begins with another one. */
    void measure(Object request, int round, Question question, ResultsDraft draft) {
        List<Loading> turns = new ArrayList<>(children.keySet());
        Collections.rotate(turns, round);
        for (Loading loading : turns) {
            double ns = Double.parseDouble(children.get(loading).ask(request.toString()));
            draft.add(question.subject(jdk, loading.toString()), "ns", ns);
        }
    }

    @Override
    public void close() {
        children.values().forEach(BenchChild::close);
    }

    private void ask(Object request) {
        children.values().forEach(child -> child.ask(request.toString()));
    }

    private static void refuse(String agentLine) {
        throw new SetupException("Loading the agent: it answered \"" + agentLine
                + "\". Without it there is nothing to compare: do as the line says, then start the benchmark again.");
    }
}
