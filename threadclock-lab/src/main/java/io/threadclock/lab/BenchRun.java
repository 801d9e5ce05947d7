// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.flame.FlameGraphs;
import io.threadclock.lab.program.ClockFacts;
import io.threadclock.lab.question.Attaching;
import io.threadclock.lab.question.EngineCost;
import io.threadclock.lab.question.Footprint;
import io.threadclock.lab.question.JmhReadCost;
import io.threadclock.lab.question.OtherThreads;
import io.threadclock.lab.question.Plan;
import io.threadclock.lab.question.ReadCost;
import io.threadclock.lab.question.Session;
import io.threadclock.lab.question.SpanPrice;
import io.threadclock.lab.question.ThreadLives;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsDraft;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs all benchmarks one after the other, because they would disturb one another. */
final class BenchRun {
    private final Path home;
    /** The output of JMH. */
    private final Path log;

    private final AgentLibrary agent;
    private final List<Jdk> jdks;
    private final Plan plan;
    private final Progress progress;
    private final ResultsDraft draft = new ResultsDraft();

    BenchRun(Path home, AgentLibrary agent, List<Jdk> jdks, Plan plan, Progress progress) {
        this.home = home;
        this.log = home.resolve(".build/jmh.log");
        this.agent = agent;
        this.jdks = jdks;
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * @param command the command as it was typed
     * @param folder an existing folder for the flame graphs
     */
    Results measure(String command, Path folder) {
        Origin.Start start = new Origin.Start();
        forgetLog();
        progress.stage("reads in C");
        String rounds = "ROUNDS=" + plan.nativeRounds();
        String printed = new NativeMake(home).output(Redirect.PIPE, "bench", rounds);
        NativeMake.measurementsIn(printed, "bench").forEach(draft::add);
        jdks.forEach(this::measure);
        addFlameGraphs(folder);
        Footprint.measure(new Session(jdks.get(jdks.size() - 1), agent, plan, progress, draft));
        List<Origin.Runtime> runtimes = jdks.stream().map(this::runtime).toList();
        return draft.finish(start.end(command, runtimes));
    }

    /** Only virtual threads, without the agent. */
    Results measureVirtual(String command) {
        Origin.Start start = new Origin.Start();
        for (Jdk jdk : jdks) {
            ThreadLives lives = new ThreadLives(new Session(jdk, agent, plan, progress, draft), home);
            lives.measureVirtual();
            lives.measureMany();
            new EngineCost(jdk, agent, plan.engine(), progress, draft).measureVirtual();
        }
        return draft.finish(start.end(command, jdks.stream().map(this::runtime).toList()));
    }

    /** Only spans. */
    Results measureSpans(String command) {
        Origin.Start start = new Origin.Start();
        jdks.forEach(jdk -> new SpanPrice(new Session(jdk, agent, plan, progress, draft), home).measure());
        return draft.finish(start.end(command, jdks.stream().map(this::runtime).toList()));
    }

    private Origin.Runtime runtime(Jdk jdk) {
        try (Contenders jvm = new Contenders(jdk, agent, List.of(Contender.LIBRARY), ClockFacts.class)) {
            ClockFacts facts = jvm.of(Contender.LIBRARY).ask("facts", ClockFacts.class);
            return new Origin.Runtime(jdk.version(), jdk.vendor(), facts.source(), facts.binding());
        }
    }

    /** The log is appended to, JDK by JDK. */
    private void forgetLog() {
        try {
            Files.deleteIfExists(log);
        } catch (IOException refused) {
            throw new SetupException("Removing " + log + " failed: " + refused + ". Make it writable.", refused);
        }
    }

    private void measure(Jdk jdk) {
        Session session = new Session(jdk, agent, plan, progress, draft);
        new ReadCost(session).measure();
        new OtherThreads(session).measure();
        new ThreadLives(session, home).measure();
        new Attaching(session).measure();
        new JmhReadCost(session).measure(home, log);
        new EngineCost(jdk, agent, plan.engine(), progress, draft).measure(Long.MAX_VALUE);
    }

    /** Uses the oldest JDK, because the newest does not read /proc, whose system calls the graphs show. */
    private void addFlameGraphs(Path folder) {
        try {
            FlameGraphs.Outcome flames = FlameGraphs.write(jdks.get(0), agent, folder, plan.flameMs(), progress);
            flames.graphs().forEach(draft::add);
            flames.notes().forEach(draft::note);
        } catch (SetupException refused) {
            // The pictures show what the numbers say already, so a failure must not lose the numbers.
            draft.note("There are no flame graphs. " + refused.getMessage());
        }
    }
}
