// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.program.SleepingThreads;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.ResultsDraft;
import io.threadclock.lab.results.Subject;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Attaches to JVMs that have not been attached to before and have not used ThreadMXBean yet: the slowest case. */
final class AttachRun {
    private static final int MANY_THREADS = 5000;

    private static final String COMMAND = "io.threadclock.cli.ThreadClockCommand";
    private static final Pattern SAID = Pattern.compile("attached to process \\d+ .* in (\\d+) ms.*", Pattern.DOTALL);

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final int attachments;
    private final ResultsDraft draft;

    AttachRun(Jdk jdk, AgentLibrary agent, int attachments, ResultsDraft draft) {
        this.jdk = jdk;
        this.agent = agent;
        this.attachments = attachments;
        this.draft = draft;
    }

    void measure() {
        LateAgent late = new LateAgent(agent);
        measure(Loading.ATTACHED.toString(), 0, late::attachTo);
        measure(Loading.ATTACHED.toString(), MANY_THREADS, late::attachTo);
        measure("attach command", MANY_THREADS, this::attachByCommand);
    }

    private void measure(String contender, int threads, ToDoubleFunction<BenchChild> attach) {
        Subject subject = new Subject(Benchmarks.ATTACH, jdk.version(), contender, "attaching", (double) threads);
        for (int attachment = 0; attachment < attachments; attachment++) {
            draft.add(subject, "ms", measureOnce(threads, attach));
        }
    }

    private double measureOnce(int threads, ToDoubleFunction<BenchChild> attach) {
        try (BenchChild child = new BenchChild(jdk, SleepingThreads.class, List.of())) {
            child.ask(Integer.toString(threads));
            return attach.applyAsDouble(child);
        }
    }

    /** As the launcher starts it. */
    private double attachByCommand(BenchChild child) {
        ChildResult result = ChildJvm.on(Jdks.running())
                .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto")
                .environment("THREADCLOCK_LIBRARY", agent.path().toString())
                .mainClass(COMMAND)
                .arguments("attach", Long.toString(child.pid()))
                .run();
        return msSaidIn(result.stdout())
                .orElseThrow(() -> new SetupException("Running threadclock attach " + child.pid() + ": it answered \""
                        + (result.stdout() + result.stderr()).strip()
                        + "\". Run it by hand on another JVM, then start the benchmark again."));
    }

    static Optional<Double> msSaidIn(String stdout) {
        Matcher said = SAID.matcher(stdout);
        return said.matches() ? Optional.of(Double.valueOf(said.group(1))) : Optional.empty();
    }
}
