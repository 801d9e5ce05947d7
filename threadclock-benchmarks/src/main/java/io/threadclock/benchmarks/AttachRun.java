// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.SleepingThreads;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.SetupException;
import io.threadclock.harness.Spread;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Attaches to JVMs that have not been attached to before and have not used ThreadMXBean yet: the slowest case. */
final class AttachRun {
    static final int MANY_THREADS = 5000;

    private static final String COMMAND = "io.threadclock.cli.ThreadClock";
    private static final Pattern SAID = Pattern.compile("attached to process \\d+ .* in (\\d+) ms.*", Pattern.DOTALL);

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final int attachments;

    AttachRun(Jdk jdk, AgentLibrary agent, int attachments) {
        this.jdk = jdk;
        this.agent = agent;
        this.attachments = attachments;
    }

    AttachMeasurement measure() {
        LateAgent late = new LateAgent(agent);
        return new AttachMeasurement(
                measure(0, late::attachTo),
                measure(MANY_THREADS, late::attachTo),
                measure(MANY_THREADS, this::attachByCommand));
    }

    private Spread measure(int threads, ToDoubleFunction<BenchChild> attach) {
        return Spread.of(IntStream.range(0, attachments)
                .mapToDouble(attachment -> measureOnce(threads, attach))
                .toArray());
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
