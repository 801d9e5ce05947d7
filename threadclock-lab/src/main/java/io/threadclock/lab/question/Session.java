// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.contender.LateAgent;
import io.threadclock.lab.question.Plan.Rounds;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.ResultsDraft;
import java.util.List;
import java.util.function.LongFunction;

/** One JDK's part of a run: the measurements, their length, and the place of the results. */
public record Session(Jdk jdk, AgentLibrary agent, Plan plan, Progress progress, ResultsDraft draft) {
    void stage(String title) {
        progress.stage(jdk + ": " + title);
    }

    Contenders start(List<Contender> contenders, Class<?> program, String... jvmOptions) {
        return new Contenders(jdk, agent, contenders, program, jvmOptions);
    }

    /**
     * The JVMs without the agent, with it, and with the agent that comes while they run.
     *
     * @param first a request: one that has answered none may not be up yet, and attaching to it would end it
     */
    Contenders startAndAttach(Class<?> program, Object first, String... jvmOptions) {
        List<Contender> all = List.of(Contender.STOCK, Contender.AGENTPATH, Contender.ATTACHED);
        Contenders contenders = start(all, program, jvmOptions);
        try {
            contenders.ask(first);
            new LateAgent(agent).attachTo(contenders.of(Contender.ATTACHED).pid());
            return contenders;
        } catch (RuntimeException failure) {
            contenders.close();
            throw failure;
        }
    }

    Subject subject(String benchmark, String contender, Object quantity, Integer parameter) {
        Double number = parameter == null ? null : Double.valueOf(parameter);
        return new Subject(benchmark, jdk.version(), contender, quantity.toString(), number);
    }

    /** Adds one round of a result. */
    void add(String benchmark, String contender, Object quantity, Integer parameter, String unit, double round) {
        draft.add(subject(benchmark, contender, quantity, parameter), unit, round);
    }

    /**
     * A result that programs answer in ns.
     *
     * @param nsPerUnit the divisor of their answers
     */
    record Row(String benchmark, Object quantity, Integer parameter, String unit, double nsPerUnit) {}

    /** Warms all contenders up, with their agents active, and then asks them in turn. */
    void askInTurn(Contenders contenders, Rounds rounds, LongFunction<?> requestOfMs, Row row) {
        contenders.ask(requestOfMs.apply(rounds.warmupMs()));
        contenders.requireAgents();
        for (int round = 0; round < rounds.count(); round++) {
            askInTurn(contenders, round, requestOfMs.apply(rounds.sliceMs()), row);
        }
    }

    /** One round. */
    void askInTurn(Contenders contenders, int round, Object request, Row row) {
        for (Contender contender : contenders.inTurn(round)) {
            double ns = contenders.of(contender).ask(request, Double.class);
            add(row.benchmark, contender.title(), row.quantity, row.parameter, row.unit, ns / row.nsPerUnit);
        }
    }
}
