// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentRefusalTest {
    private static final Jdk JDK = new Jdk(Path.of("/jdk"), "25.0.1", "Test");

    @Test
    void endsTheDemoWithTheAgentsOwnWords() {
        List<String> lines = List.of("noise", "threadclock: source rseq refused: why.");
        assertThatThrownBy(() -> AgentRefusal.requireNone(lines, JDK))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("JDK 25.0.1 (Test)", "\"threadclock: source rseq refused: why.\"");
    }

    @Test
    void isNotSeenInWhatOthersPrint() {
        assertThatCode(() -> AgentRefusal.requireNone(List.of("Log configuration loaded from: x"), JDK))
                .doesNotThrowAnyException();
    }

    @Test
    void isNotSeenWhereTheAgentGoesOnWithAnotherSource() {
        String line = "threadclock: source rseq missed a context switch and is not used any more; please report";
        assertThatCode(() -> AgentRefusal.requireNone(List.of(line), JDK)).doesNotThrowAnyException();
    }
}
