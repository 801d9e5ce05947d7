// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.results.Origin;
import io.threadclock.benchmarks.results.Results;
import io.threadclock.benchmarks.results.ResultsDraft;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Machine;
import io.threadclock.harness.Progress;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs all benchmarks, one after the other: they would disturb one another. */
final class BenchRun {
    private final Path home;
    private final AgentLibrary agent;
    private final List<Jdk> jdks;
    private final BenchPlan plan;
    private final Progress progress;
    private final ResultsDraft draft = new ResultsDraft();

    BenchRun(Path home, AgentLibrary agent, List<Jdk> jdks, BenchPlan plan, Progress progress) {
        this.home = home;
        this.agent = agent;
        this.jdks = jdks;
        this.plan = plan;
        this.progress = progress;
    }

    /** @param command as it was typed */
    Results measure(String command) {
        String startedAt = OffsetDateTime.now().truncatedTo(ChronoUnit.SECONDS).toString();
        long beginNs = System.nanoTime();
        String load = LoadAverage.now();
        Machine machine = Machine.current();
        progress.stage("reads in C");
        new NativeBench(home).measure(plan.nativeRounds(), draft);
        jdks.forEach(this::measure);
        new MemoryRun(jdks.get(jdks.size() - 1), agent, progress, draft).measure();
        List<Origin.Runtime> runtimes = jdks.stream().map(jdk -> RuntimeFacts.of(jdk, agent)).toList();
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs);
        return draft.finish(new Origin(
                version(),
                command,
                startedAt,
                seconds,
                machine.cpuModel(),
                machine.virtual(),
                machine.cpus(),
                machine.kernel(),
                machine.ticksPerSecond().isPresent() ? machine.ticksPerSecond().getAsLong() : null,
                load,
                runtimes));
    }

    private void measure(Jdk jdk) {
        new LoopRun(jdk, agent, plan, progress, draft).measure();
        new LatencyRun(jdk, agent, plan, progress, draft).measure();
        new AllThreadsRun(jdk, agent, plan.allThreads(), progress, draft).measure();
        new SnapshotRun(jdk, agent, plan.snapshots(), progress, draft).measure();
    }

    /** That of the jar; none where classes are run as they were compiled. */
    private static String version() {
        String version = BenchRun.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }
}
