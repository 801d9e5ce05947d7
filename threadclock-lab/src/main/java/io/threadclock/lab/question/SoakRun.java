// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.EndingException;
import io.threadclock.harness.Exchange;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Progress;
import io.threadclock.harness.ScratchDirectory;
import io.threadclock.harness.SetupException;
import io.threadclock.lab.contender.LateAgent;
import io.threadclock.lab.program.Breaches.Counts;
import io.threadclock.lab.program.KernelClock;
import io.threadclock.lab.program.SoakProgram;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A soak on one JDK: attaches to the program and detaches from it again and again, and examines it now and then. */
final class SoakRun {
    private static final int HISTORY_ROWS = 30_000;
    private static final Duration ANSWER = Duration.ofMinutes(2);
    /** A JVM that was attached to has a socket in /tmp, and only if it ends by itself does it remove that. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final long MOST_BETWEEN_LOOKS_MS = 15_000;
    private static final long PROGRESS_MS = 30_000;
    private static final long STOCK_MS = 300;
    private static final long MOST_ATTACHED_MS = 1000;
    /** This many examinations show a trend. */
    private static final int LOOKS = 4 * SoakResult.Growth.FEWEST;

    private static final String REFUSES_SOURCE = "the source asked for is refused";

    /** Each of them for a while, one after the other; the last may be refused. */
    private final Deque<List<String>> options = new ArrayDeque<>(List.of(
            List.of(),
            List.of("--strict"),
            List.of("--split=kernel"),
            List.of("--source=clock"),
            List.of("--window=20ms"),
            List.of("--source=perf")));

    private final Jdk jdk;
    private final AgentLibrary agent;
    private final Path bareClocks;
    private final Path home;
    private final long durationMs;
    private final Progress progress;
    private final SoakResult result;
    private long beginNs;
    private long lastLookMs;
    private long nextProgressMs = PROGRESS_MS;
    private long era;

    SoakRun(
            Jdk jdk,
            AgentLibrary agent,
            Path bareClocks,
            Path home,
            long durationMs,
            Progress progress,
            SoakResult result) {
        this.jdk = jdk;
        this.agent = agent;
        this.bareClocks = bareClocks;
        this.home = home;
        this.durationMs = durationMs;
        this.progress = progress;
        this.result = result;
    }

    /** Returns when the time is over or the JVM has crashed; the result is what it was given. */
    void run() throws InterruptedException {
        progress.stage(jdk + ": starting QuestDB, ingesting " + HISTORY_ROWS + " rows");
        try (ScratchDirectory scratch = ScratchDirectory.create("threadclock-soak-");
                Exchange child = start(scratch)) {
            ask(child, SoakProgram.Request.Kind.COUNTS);
            beginNs = System.nanoTime();
            progress.stage(jdk + ": " + TimeUnit.MILLISECONDS.toSeconds(durationMs) + " s");
            soak(child);
        } catch (SetupException | UncheckedIOException ended) {
            refuseIfEnding();
            result.crashed(ended.getMessage());
        }
    }

    private void soak(Exchange child) throws InterruptedException {
        while (elapsedMs() < durationMs) {
            attach(child);
            attach(child); // other options
            detach(child);
            TimeUnit.MILLISECONDS.sleep(STOCK_MS);
        }
    }

    private void attach(Exchange child) throws InterruptedException {
        List<String> next = options.removeFirst();
        List<String> attach = new ArrayList<>(List.of("attach"));
        attach.addAll(next);
        attach.add("--stats");
        String refusal = command(child, attach);
        if (refusal.contains(REFUSES_SOURCE)) {
            result.note("left out: " + refusal);
            return;
        }
        refuse(refusal);
        result.attached();
        options.addLast(next);
        begin(child, era | 1);
        TimeUnit.MILLISECONDS.sleep(Math.min(MOST_ATTACHED_MS, durationMs / LOOKS));
        count(child);
        if (lookIsDue()) {
            ask(child, SoakProgram.Request.Kind.REST);
            look(child);
        }
    }

    private void detach(Exchange child) throws InterruptedException {
        boolean atRest = lookIsDue();
        begin(child, era + 1);
        if (atRest) {
            ask(child, SoakProgram.Request.Kind.REST);
        }
        String refusal = command(child, List.of("detach"));
        refuse(refusal);
        result.detached(atRest);
        if (atRest) {
            look(child);
        }
        count(child);
    }

    private void begin(Exchange child, long next) {
        era = next;
        ask(child, new SoakProgram.Request(SoakProgram.Request.Kind.ERA, era));
    }

    /** Returns the output of the command if it failed, or else an empty text. */
    private String command(Exchange child, List<String> arguments) {
        ChildResult result = new LateAgent(agent).command(child.pid(), arguments.toArray(String[]::new));
        String said = (result.stdout() + result.stderr()).strip();
        return result.exitStatus() == 0 ? "" : arguments + " ended with status " + result.exitStatus() + ": " + said;
    }

    private void refuse(String refusal) throws InterruptedException {
        if (!refusal.isEmpty()) {
            refuseIfEnding();
            result.refused(refusal);
        }
    }

    private boolean lookIsDue() {
        return elapsedMs() - lastLookMs > Math.min(MOST_BETWEEN_LOOKS_MS, durationMs / LOOKS);
    }

    private void look(Exchange child) {
        result.looked(ProcessLook.at(child.pid(), agent.path()));
        ask(child, SoakProgram.Request.Kind.GO_ON);
        lastLookMs = elapsedMs();
    }

    private void count(Exchange child) {
        result.counted(ask(child, SoakProgram.Request.Kind.COUNTS), elapsedMs());
        result.told(child.stderrLines());
        tell();
    }

    private static Counts ask(Exchange child, SoakProgram.Request.Kind kind) {
        return ask(child, new SoakProgram.Request(kind));
    }

    private static Counts ask(Exchange child, SoakProgram.Request request) {
        return child.ask(request, Counts.class, ANSWER);
    }

    private void tell() {
        if (elapsedMs() >= nextProgressMs) {
            nextProgressMs += PROGRESS_MS;
            progress.stage("%s: %d of %d s, %,d readings, %,d contradictions"
                    .formatted(
                            jdk,
                            TimeUnit.MILLISECONDS.toSeconds(elapsedMs()),
                            TimeUnit.MILLISECONDS.toSeconds(durationMs),
                            result.counts().readings(),
                            result.counts().ofAllBreaches()));
        }
    }

    private long elapsedMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    }

    private Exchange start(ScratchDirectory scratch) {
        ChildJvm.Builder program = ProgramJvm.on(jdk, scratch.path())
                // The whole heap is allocated from the start, so that growing memory is not the heap's.
                .jvmOptions("-Xms512m", "-XX:+AlwaysPreTouch")
                // Not in the scratch directory, because the user will want to see the report of a crash.
                .jvmOptions("-XX:ErrorFile=" + home.resolve(".build/soak-hs_err-%p.log"))
                // One copy of the clock for the library and the agent.
                .jvmOptions("-Dthreadclock.library=" + agent.path())
                .jvmOptions("-D" + KernelClock.FILE_PROPERTY + "=" + bareClocks)
                .grace(GRACE)
                .mainClass(SoakProgram.class)
                .arguments(scratch.path().resolve("questdb").toString(), Integer.toString(HISTORY_ROWS));
        return new Exchange("the soak on " + jdk, program);
    }

    /** After Ctrl-C the child is gone, too, which is not a crash. */
    private static void refuseIfEnding() throws InterruptedException {
        if (Ending.hasBegun()) {
            throw new EndingException();
        }
    }

    /** Whether somebody ends this JVM. Its children then end as well, which is not a fault. */
    private static final class Ending {
        /** Ctrl-C reaches all of them at once, and this JVM perhaps last. */
        private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

        private static final long LOOK_MS = 10;

        private Ending() {}

        static boolean hasBegun() throws InterruptedException {
            long endNs = System.nanoTime() + PATIENCE_NS;
            while (!refusesHooks()) {
                if (System.nanoTime() - endNs > 0) {
                    return false;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            }
            return true;
        }

        /** Whether this JVM has begun to end: from then on it refuses shutdown hooks. */
        private static boolean refusesHooks() {
            Thread hook = new Thread(() -> {});
            try {
                Runtime.getRuntime().addShutdownHook(hook);
                return !Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException ending) {
                return true;
            }
        }
    }
}
