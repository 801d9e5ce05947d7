// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.lab.demo.message.LiveSecond;
import io.threadclock.lab.demo.message.Message;
import io.threadclock.lab.demo.message.PhaseRequest;
import io.threadclock.lab.demo.message.PhaseResult;
import io.threadclock.lab.demo.program.LiveProgram;
import io.threadclock.lab.demo.program.QuestDbProgram;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.ScratchDirectory;
import io.threadclock.harness.SetupException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The driver's end of a {@link QuestDbProgram} or {@link LiveProgram} in a child JVM of its own, with a directory of
 * its own.
 */
final class QuestDbChild implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    /** What a phase may take beyond its length on a machine busy with other things. */
    private static final Duration PHASE_GRACE = Duration.ofMinutes(3);

    /** A JVM that others have attached to has a socket in /tmp, and only if it ends by itself does it remove that. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final long ALIVE_CHECK_MS = 200;

    private final String name;
    private final ScratchDirectory scratch;
    private final BlockingQueue<Message> answers = new LinkedBlockingQueue<>();
    private final ChildJvm jvm;

    /** Starts the program; {@link #awaitReady()} says when it has ingested its rows. */
    QuestDbChild(Jdk jdk, Contender contender, List<String> agentOptions, int historyRows) {
        this.name = "the demo's program on " + jdk + ", " + contender;
        this.scratch = ScratchDirectory.create("threadclock-lab-");
        this.jvm = ProgramJvm.on(jdk, scratch.path())
                .jvmOptions(agentOptions)
                .mainClass(QuestDbProgram.class)
                .arguments(scratch.path().resolve("questdb").toString(), Integer.toString(historyRows))
                .onStdout(line -> Message.parse(line).ifPresent(answers::add))
                .start();
    }

    private QuestDbChild(Jdk jdk, int historyRows, Consumer<String> onStderr) {
        this.name = "the demo's program on " + jdk;
        this.scratch = ScratchDirectory.create("threadclock-lab-");
        this.jvm = ProgramJvm.on(jdk, scratch.path())
                .mainClass(LiveProgram.class)
                .arguments(scratch.path().resolve("questdb").toString(), Integer.toString(historyRows))
                .onStdout(line -> Message.parse(line).ifPresent(answers::add))
                .onStderr(onStderr)
                .grace(GRACE)
                .start();
    }

    /** Starts the program that works until it is closed, stock. */
    static QuestDbChild live(Jdk jdk, int historyRows, Consumer<String> onStderr) {
        return new QuestDbChild(jdk, historyRows, onStderr);
    }

    void awaitReady() {
        await(QuestDbProgram.READY, START_TIMEOUT);
    }

    long pid() {
        return jvm.pid();
    }

    /** What it has done since it was last asked. */
    LiveSecond second() {
        try {
            jvm.send(new Message(LiveSecond.KIND).toString());
        } catch (UncheckedIOException gone) {
            throw ended();
        }
        return LiveSecond.of(await(LiveSecond.KIND, PHASE_GRACE));
    }

    PhaseResult run(PhaseRequest request) {
        begin(request);
        return finish(request);
    }

    void begin(PhaseRequest request) {
        jvm.send(request.toMessage().toString());
    }

    PhaseResult finish(PhaseRequest request) {
        return PhaseResult.of(await(PhaseResult.KIND, PHASE_GRACE.plusMillis(request.durationMs())));
    }

    List<String> stderrLines() {
        return jvm.stderrLinesSoFar();
    }

    /** Lets it end by itself, so that the agent can print its statistics. */
    ChildResult end() {
        jvm.endInput();
        return jvm.await();
    }

    @Override
    public void close() {
        jvm.close();
        scratch.close();
    }

    private Message await(String kind, Duration timeout) {
        long endNs = System.nanoTime() + timeout.toNanos();
        while (System.nanoTime() - endNs < 0) {
            Message answer = poll();
            if (answer == null && !jvm.isAlive()) {
                throw ended();
            }
            if (answer != null && answer.kind().equals(kind)) {
                return answer;
            }
        }
        throw new SetupException("Waiting for " + name + ": no answer in " + timeout.toSeconds()
                + " s. Run the demo again when the machine is less busy.");
    }

    private Message poll() {
        try {
            return answers.poll(ALIVE_CHECK_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, interrupted);
        }
    }

    private SetupException ended() {
        ChildResult result = jvm.await();
        String reason = lastWords(result.stderrLines())
                .or(() -> lastWords(result.stdoutLines()))
                .orElse("it said nothing");
        return new SetupException("Running " + name + ": it ended with status " + result.exitStatus() + ": " + reason
                + ". If memory or disk space is short, free some (it needs 1 GB of memory and 0.5 GB of disk).");
    }

    /** The exception if there is one, or else the last line that is not empty. */
    private static Optional<String> lastWords(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.isBlank())
                .reduce((first, last) -> first.startsWith("Exception") ? first : last);
    }
}
