// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.program.ArrayRequest;
import io.threadclock.lab.program.Neighbour;
import io.threadclock.lab.program.NeighbourLoop;
import io.threadclock.lab.program.NeighbourRequest;
import io.threadclock.lab.program.Quantity;
import io.threadclock.lab.program.ThreadArrays;
import io.threadclock.lab.program.ThreadStarts;
import io.threadclock.lab.program.VirtualYields;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.ResultsDraft;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import java.util.List;

/** Measures what is about other threads than the calling one, on one JDK. */
final class AllThreadsRun {
    /** Ascending: a JVM's threads are there to stay. */
    private static final List<Integer> ARRAY_SIZES = List.of(10, 100, 1000, 5000);

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final AllThreadsPlan plan;
    private final Progress progress;
    private final ResultsDraft draft;

    AllThreadsRun(Jdk jdk, AgentLibrary agent, AllThreadsPlan plan, Progress progress, ResultsDraft draft) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.progress = progress;
        this.draft = draft;
    }

    void measure() {
        for (int launch = 1; launch <= plan.launches(); launch++) {
            progress.stage(jdk + ": threads by id, JVMs " + launch + " of " + plan.launches());
            measureById();
        }
        progress.stage(jdk + ": arrays of threads");
        measureArrays();
        progress.stage(jdk + ": thread starts");
        measureStarts();
        for (int launch = 1; launch <= plan.launches() && hasVirtualThreads(); launch++) {
            progress.stage(jdk + ": virtual threads, JVMs " + launch + " of " + plan.launches());
            measureYields();
        }
        progress.stage(jdk + ": attaching");
        new AttachRun(jdk, agent, plan.attachments(), draft).measure();
    }

    private void measureById() {
        NeighbourRequest first = new NeighbourRequest(Quantity.CPU_TIME, Neighbour.ASLEEP, 1);
        try (Contenders contenders = new Contenders(jdk, agent, NeighbourLoop.class, first)) {
            for (Neighbour neighbour : Neighbour.values()) {
                for (Quantity quantity : Quantity.values()) {
                    contenders.warmUp(new NeighbourRequest(quantity, neighbour, plan.warmupMs()));
                    Question question = new Question(Benchmarks.BY_ID, quantity + ", " + neighbour);
                    NeighbourRequest request = new NeighbourRequest(quantity, neighbour, plan.sliceMs());
                    for (int round = 0; round < plan.rounds(); round++) {
                        contenders.measure(request, round, question, draft);
                    }
                }
            }
        }
    }

    private void measureArrays() {
        ArrayRequest first = new ArrayRequest(Quantity.CPU_TIME, 1, 1);
        try (Contenders contenders = new Contenders(jdk, agent, ThreadArrays.class, first)) {
            for (int threads : ARRAY_SIZES) {
                progress.step(threads + " threads");
                for (Quantity quantity : Quantity.values()) {
                    contenders.warmUp(new ArrayRequest(quantity, threads, plan.warmupMs()));
                    Question question = new Question(Benchmarks.ARRAY, quantity.toString(), (double) threads);
                    ArrayRequest request = new ArrayRequest(quantity, threads, plan.sliceMs());
                    for (int round = 0; round < plan.rounds(); round++) {
                        contenders.measure(request, round, question, draft);
                    }
                }
            }
        }
    }

    private void measureStarts() {
        try (Contenders contenders = new Contenders(jdk, agent, ThreadStarts.class, 1)) {
            measure(contenders, Lifecycle.START_AND_END, plan.startRounds());
        }
    }

    private boolean hasVirtualThreads() {
        return jdk.feature() >= VirtualYields.OLDEST_FEATURE;
    }

    private void measureYields() {
        try (Contenders contenders =
                new Contenders(jdk, agent, VirtualYields.class, 1, VirtualYields.JVM_OPTIONS)) {
            measure(contenders, Lifecycle.VIRTUAL_YIELD, plan.startRounds() / plan.launches());
        }
    }

    private void measure(Contenders contenders, Lifecycle lifecycle, int rounds) {
        contenders.warmUp(5 * plan.warmupMs());
        for (int round = 0; round < rounds; round++) {
            contenders.measure(plan.sliceMs(), round, new Question(Benchmarks.LIFECYCLE, lifecycle), draft);
        }
    }
}
