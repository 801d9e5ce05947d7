// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.TestAbortedException;

/** How a program ended, and what it and the agent in it have printed. */
record Outcome(Program program, ChildResult result) {
    private static final String REFUSED = " refused: ";

    int exitStatus() {
        return result.exitStatus();
    }

    String stdout() {
        return result.stdout();
    }

    /** The lines of the agent. */
    List<String> agentLines() {
        return AgentLibrary.linesOf(result.stderrLines());
    }

    /** The lines on standard error that are not the agent's. */
    List<String> otherLines() {
        List<String> lines = new ArrayList<>(result.stderrLines());
        lines.removeAll(agentLines());
        return lines;
    }

    /** See {@link Program#facts(int)}. */
    Facts facts(int status) {
        abortIfRefused(result.stderrLines());
        assumeThat(result.stderr()).as(text()).doesNotContain(TestAbortedException.class.getName());
        assertThat(result.timedOut()).as("%s has hung%n%s", program, text()).isFalse();
        assertThat(exitStatus()).as("exit status of %s%n%s", program, text()).isEqualTo(status);
        return Facts.of(this);
    }

    /** Skips the test if the agent says in these lines that the kernel has refused the source. */
    static void abortIfRefused(List<String> stderrLines) {
        AgentLibrary.linesOf(stderrLines).stream()
                .filter(line -> line.contains(REFUSED))
                .findFirst()
                .ifPresent(Assumptions::abort);
    }

    /** All its output, for the message of a test that fails. */
    String text() {
        return result.stdout() + result.stderr();
    }
}
