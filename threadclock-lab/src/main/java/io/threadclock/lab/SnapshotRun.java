// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.program.SnapshotRequest;
import io.threadclock.lab.program.Snapshots;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.ResultsDraft;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import java.util.List;

/** Measures snapshots of more and more threads on one JDK. */
final class SnapshotRun {
    /** Ascending: a JVM's threads are there to stay. */
    private static final List<Integer> SIZES = List.of(10, 100, 1000, 5000);

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final SnapshotPlan plan;
    private final Progress progress;
    private final ResultsDraft draft;

    SnapshotRun(Jdk jdk, AgentLibrary agent, SnapshotPlan plan, Progress progress, ResultsDraft draft) {
        this.jdk = jdk;
        this.agent = agent;
        this.plan = plan;
        this.progress = progress;
        this.draft = draft;
    }

    void measure() {
        progress.stage(jdk + ": snapshots");
        try (BenchChild child = LibraryChild.start(jdk, agent, Snapshots.class)) {
            for (int threads : SIZES) {
                progress.step(threads + " threads");
                child.ask(new SnapshotRequest(threads, plan.warmupMs()).toString());
                measure(child, threads);
            }
        }
    }

    private void measure(BenchChild child, int threads) {
        Subject subject = new Subject(Benchmarks.SNAPSHOT, jdk.version(), "library", "snapshot", (double) threads);
        for (int round = 0; round < plan.rounds(); round++) {
            String ms = child.ask(new SnapshotRequest(threads, plan.sliceMs()).toString());
            draft.add(subject, "ms", Double.parseDouble(ms));
        }
    }
}
