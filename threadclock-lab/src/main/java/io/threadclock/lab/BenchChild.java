// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.program.Answer;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.SetupException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The driver's end of a program in a child JVM that answers requests. */
public final class BenchChild implements AutoCloseable {
    /** What an answer may take beyond what was asked for, on a machine busy with other things. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private static final long ALIVE_CHECK_MS = 200;

    private final String name;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final ChildJvm jvm;

    /** @param name how messages name it */
    public BenchChild(String name, ChildJvm.Builder program) {
        this.name = name;
        this.jvm = program.onStdout(line -> Answer.in(line).ifPresent(answers::add)).start();
    }

    public long pid() {
        return jvm.pid();
    }

    public String ask(String request) {
        return ask(request, GRACE);
    }

    /** What it has written to standard error so far. */
    public List<String> stderrLines() {
        return jvm.stderrLinesSoFar();
    }

    /** What the agent has said so far. */
    public List<String> agentLines() {
        return AgentLibrary.linesOf(jvm.stderrLinesSoFar());
    }

    /** Lets it end by itself, and returns what the agent has said. */
    List<String> end() {
        jvm.endInput();
        return AgentLibrary.linesOf(jvm.await().stderrLines());
    }

    @Override
    public void close() {
        jvm.close();
    }

    public String ask(String request, Duration timeout) {
        jvm.send(request);
        long endNs = System.nanoTime() + timeout.toNanos();
        while (System.nanoTime() - endNs < 0) {
            String answer = poll();
            if (answer != null) {
                return answer;
            }
            if (!jvm.isAlive()) {
                throw ended();
            }
        }
        throw new SetupException("Asking " + name + " for " + request + ": no answer in " + timeout.toSeconds()
                + " s. Run the benchmark again when the machine is less busy.");
    }

    private String poll() {
        try {
            return answers.poll(ALIVE_CHECK_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, interrupted);
        }
    }

    private SetupException ended() {
        // The exception if there is one: an engine has said other things before.
        String reason = jvm.await().stderrLines().stream()
                .filter(line -> !line.isBlank())
                .reduce((first, last) -> first.startsWith("Exception") ? first : last)
                .orElse("it said nothing");
        return new SetupException("Running " + name + ": it ended: " + reason
                + ". If memory is short, free some (each JVM needs 100 MB), then run the benchmark again.");
    }
}
