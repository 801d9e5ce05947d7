// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.program.VirtualAccounts;
import io.threadclock.lab.program.VirtualAccounts.Work;
import io.threadclock.lab.program.VirtualYields;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.ResultsDraft;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import java.util.EnumSet;
import java.util.Set;

/**
 * Measures what accounts cost virtual threads on one JDK, in one JVM with one carrier, with accounts and without by turns; and in
 * one with more carriers than CPUs what they read beside the wall time for which threads are mounted.
 */
final class VirtualRun {
    private static final int BUSY_CARRIERS = 2 * Runtime.getRuntime().availableProcessors();

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final AllThreadsPlan plan;
    private final Progress progress;
    private final ResultsDraft draft;

    VirtualRun(Jdk jdk, AgentLibrary agent, AllThreadsPlan plan, Progress progress, ResultsDraft draft) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.progress = progress;
        this.draft = draft;
    }

    void measure() {
        if (jdk.feature() < VirtualYields.OLDEST_FEATURE) {
            return;
        }
        progress.stage(jdk + ": accounted virtual threads");
        for (int launch = 0; launch < plan.launches(); launch++) {
            measure(EnumSet.complementOf(EnumSet.of(Work.UNIT)), VirtualYields.JVM_OPTIONS);
            measure(EnumSet.of(Work.UNIT), "-Djdk.virtualThreadScheduler.parallelism=" + BUSY_CARRIERS);
        }
    }

    private void measure(Set<Work> works, String... jvmOptions) {
        try (BenchChild child = LibraryChild.start(jdk, agent, VirtualAccounts.class, jvmOptions)) {
            works.forEach(work -> measure(child, work));
        }
    }

    private void measure(BenchChild child, Work work) {
        Question question = new Question(Benchmarks.VIRTUAL, work);
        ask(child, work, false, 3 * plan.warmupMs());
        ask(child, work, true, 3 * plan.warmupMs());
        for (int round = 0; round < plan.startRounds() / plan.launches(); round++) {
            draft.add(question.subject(jdk, Contest.STOCK), "ns", ask(child, work, false, plan.sliceMs()));
            draft.add(question.subject(jdk, Contest.ACCOUNTED), "ns", ask(child, work, true, plan.sliceMs()));
        }
    }

    private static double ask(BenchChild child, Work work, boolean isAccounted, long durationMs) {
        return Double.parseDouble(child.ask(VirtualAccounts.request(work, isAccounted, durationMs)));
    }
}
