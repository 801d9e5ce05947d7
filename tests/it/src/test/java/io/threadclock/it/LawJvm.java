// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.it.probe.LawRunner;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/** The child JVM of a {@link LawRunner}. It starts with the first test. */
final class LawJvm {
    private static final long ALIVE_CHECK_MS = 200;

    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Program program;
    private final Gatekeeper gatekeeper;
    private ChildJvm child;
    private String preparation;
    private ChildResult result;

    LawJvm(Program program) {
        this.program = program;
        this.gatekeeper = new Gatekeeper(program.presence());
    }

    /** Throws what the test has thrown. The test is skipped if the kernel refuses the source. */
    void run(String test) throws Throwable {
        if (child == null) {
            child = program.builder(this::take).start();
            gatekeeper.guard(child);
            preparation = answer();
        }
        rethrow(preparation);
        if (result == null) {
            child.send(test);
        }
        rethrow(answer());
        assertThat(gatekeeper.hasActed()).as("%s has come to a gate", program).isTrue();
    }

    private void rethrow(String answer) throws Throwable {
        Outcome.abortIfRefused(child.stderrLinesSoFar());
        gatekeeper.rethrowFailure();
        if (answer == null) {
            throw new AssertionError("the JVM has ended with " + result.exitStatus() + context());
        }
        if (!answer.equals(LawRunner.PASSED)) {
            throw failure(answer);
        }
    }

    private void take(String line) {
        if (line.startsWith(LawRunner.ANSWER)) {
            answers.add(line.substring(LawRunner.ANSWER.length()));
        }
        gatekeeper.accept(line);
    }

    /** Null if the JVM has ended instead, or has hung. */
    private String answer() throws InterruptedException {
        long endNs = System.nanoTime() + Program.TIMEOUT.toNanos();
        while (result == null) {
            String answer = answers.poll(ALIVE_CHECK_MS, TimeUnit.MILLISECONDS);
            if (answer != null) {
                return answer;
            }
            if (System.nanoTime() - endNs > 0) {
                child.close();
            }
            if (!child.isAlive()) {
                result = child.await();
            }
        }
        return answers.poll();
    }

    private Throwable failure(String serialized) throws IOException, ClassNotFoundException {
        byte[] bytes = Base64.getDecoder().decode(serialized);
        Throwable failure;
        try (ObjectInputStream objects = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            failure = (Throwable) objects.readObject();
        }
        if (failure instanceof TestAbortedException) {
            return failure;
        }
        AssertionError told = new AssertionError(failure.getMessage() + context(), failure.getCause());
        told.setStackTrace(failure.getStackTrace());
        return told;
    }

    private String context() {
        return "\nin " + program + "\n" + String.join("\n", child.stderrLinesSoFar());
    }

    /** The JVM must end well. */
    void end() {
        if (child == null || result != null) {
            return;
        }
        child.endInput();
        result = child.await();
        if (AgentLibrary.refusalIn(result.stderrLines()).isEmpty()) {
            assertThat(result.exitStatus())
                    .as("exit status of %s%n%s", program, result.stderr())
                    .isZero();
        }
    }
}
