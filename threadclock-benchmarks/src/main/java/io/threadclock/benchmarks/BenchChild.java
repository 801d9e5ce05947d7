// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.benchmarks.program.Answer;
import io.threadclock.benchmarks.program.Request;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The driver's end of a program in a child JVM that answers requests. */
final class BenchChild implements AutoCloseable {
    /** What an answer may take beyond what was asked for, on a machine busy with other things. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private static final long ALIVE_CHECK_MS = 200;

    private final String name;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final ChildJvm jvm;

    BenchChild(Jdk jdk, Class<?> program, List<String> jvmOptions, String... arguments) {
        this.name = program.getSimpleName() + " on " + jdk;
        this.jvm = ChildJvm.on(jdk)
                // The collector with the fewest threads, and none of them busy: the programs make no garbage.
                .jvmOptions("-Xmx256m", "-Xss256k", "-XX:+UseSerialGC", "-XX:-UsePerfData")
                .jvmOptions(jvmOptions)
                .mainClass(program)
                .arguments(arguments)
                .onStdout(line -> Answer.in(line).ifPresent(answers::add))
                .start();
    }

    long pid() {
        return jvm.pid();
    }

    String ask(Request request) {
        return ask(request.toString(), GRACE.plusMillis(request.durationMs()));
    }

    String ask(String request) {
        return ask(request, GRACE);
    }

    /** What the agent has said so far. */
    List<String> agentLines() {
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

    private String ask(String request, Duration timeout) {
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
        List<String> lines = jvm.await().stderrLines();
        String reason = lines.isEmpty() ? "it said nothing" : lines.get(0);
        return new SetupException("Running " + name + ": it ended: " + reason
                + ". If memory is short, free some (each JVM needs 100 MB), then run the benchmark again.");
    }
}
