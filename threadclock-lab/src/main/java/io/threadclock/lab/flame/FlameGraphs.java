// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.flame;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.Exchange;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.ScratchDirectory;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.contender.Contenders;
import io.threadclock.lab.contender.LateAgent;
import io.threadclock.lab.program.EngineProgram.Way;
import io.threadclock.lab.program.ProfiledEngine;
import io.threadclock.lab.question.ProgramJvm;
import io.threadclock.lab.results.Results.FlameGraph;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Profiles the engine while it attributes its work through ThreadMXBean, first stock and then with the agent, and
 * writes pages that show the system calls on /proc, and that they have disappeared.
 */
public final class FlameGraphs {
    private static final int HISTORY_ROWS = 60_000;
    private static final double PER_CENT = 100;
    /** The first answer comes when the program has ingested its rows. */
    private static final Duration START = Duration.ofMinutes(2);

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final Path directory;
    private final List<FlameGraph> graphs = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** The pages, and notes on them: whether the kernel refused its frames, or nothing read /proc. */
    public record Outcome(List<FlameGraph> graphs, List<String> notes) {}

    private FlameGraphs(Jdk jdk, AgentLibrary agent, Path directory) {
        this.jdk = jdk;
        this.agent = agent;
        this.directory = directory;
    }

    /**
     * Writes two pages for stock and two for threadclock.
     *
     * @param jdk one that reads /proc if there is one, which 26 and newer do not
     * @param directory where the pages go; it is there
     * @param phaseMs how long each of both is profiled, and half of that the first one before
     * @throws SetupException if the program, the profiler or the agent cannot do its work
     */
    public static Outcome write(Jdk jdk, AgentLibrary agent, Path directory, long phaseMs, Progress progress) {
        progress.stage(jdk + ": flame graphs");
        FlameGraphs run = new FlameGraphs(jdk, agent, directory);
        try (ScratchDirectory scratch = ScratchDirectory.create("threadclock-bench-");
                Exchange child = run.start(scratch)) {
            run.profile(child, scratch.path(), phaseMs, progress);
        }
        return new Outcome(List.copyOf(run.graphs), List.copyOf(run.notes));
    }

    private void profile(Exchange child, Path scratch, long phaseMs, Progress progress) {
        progress.step("warming up");
        record(child, phaseMs / 2, scratch.resolve("warmup.jfr"));
        progress.step("profiling stock");
        JfrProfile stock = record(child, phaseMs, scratch.resolve("stock.jfr"));
        new LateAgent(agent).attachTo(child.pid());
        Contenders.requireAgent(child);
        progress.step("profiling threadclock");
        JfrProfile threadclock = record(child, phaseMs, scratch.resolve("threadclock.jfr"));
        progress.step("writing pages");
        Stacks before = stock.stacks(scratch.resolve("stock.collapsed"));
        Stacks after = threadclock.stacks(scratch.resolve("threadclock.collapsed"));
        judge(before, after);
        write(stock, "stock", before, before.hasKernelFrames());
        write(threadclock, "threadclock", after, before.hasKernelFrames());
    }

    private JfrProfile record(Exchange child, long durationMs, Path recording) {
        ProfiledEngine.Request request =
                new ProfiledEngine.Request(Way.THREAD_MX_BEAN, durationMs, recording.toString());
        child.ask(request, String.class, START.plusMillis(durationMs));
        return new JfrProfile(recording);
    }

    /** Refuses a picture that does not show what it should. */
    private void judge(Stacks before, Stacks after) {
        if (after.procShare() > 0) {
            throw new SetupException("Profiling the engine on " + jdk + " with the agent in force: "
                    + "getCurrentThreadUserTime still reads /proc. That is a defect: report it with this line.");
        }
        if (before.procShare() == 0) {
            notes.add(jdk + ": the stock flame graph has no /proc path, because this JDK does not read /proc.");
        }
        if (!before.hasKernelFrames()) {
            notes.add("The flame graphs have no frames of the kernel, which refuses them: kernel.perf_event_paranoid "
                    + "of 1 or lower and kernel.kptr_restrict of 0, or root, would show them.");
        }
    }

    private void write(JfrProfile recording, String contender, Stacks stacks, boolean hasKernelFrames) {
        String title = String.format(
                Locale.ROOT,
                "JDK %s, %s: user time takes %.2f %% of the worker's CPU time%s",
                jdk.version(),
                contender,
                PER_CENT * stacks.userTimeShare(),
                hasKernelFrames ? "" : " (this kernel hides its frames)");
        String flame = "flame-" + contender + ".html";
        String icicle = "icicle-" + contender + ".html";
        recording.picture(directory.resolve(flame), title);
        recording.picture(directory.resolve(icicle), title, "--inverted");
        graphs.add(new FlameGraph(flame, title, stacks.systemCallShare()));
        graphs.add(new FlameGraph(icicle, title + ", root on top", stacks.systemCallShare()));
    }

    private Exchange start(ScratchDirectory scratch) {
        ChildJvm.Builder program = ProgramJvm.on(jdk, scratch.path())
                // Without these the profiler attributes samples to the nearest safepoint.
                .jvmOptions("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints")
                .jvmOptions("-Dthreadclock.library=" + agent.path())
                .mainClass(ProfiledEngine.class)
                .arguments(scratch.path().resolve("questdb").toString(), Integer.toString(HISTORY_ROWS));
        return new Exchange("the profiled engine on " + jdk, program);
    }
}
