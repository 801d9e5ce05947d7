// SPDX-License-Identifier: Apache-2.0
package io.threadclock.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentTest {
    private static final Jdk JDK = new Jdk(Path.of("/jdk"), "25.0.1", "Test");

    @Test
    void isGivenToTheJvmByItsAbsolutePath(@TempDir Path directory) throws IOException {
        Path library = Files.createFile(directory.resolve("libthreadclock.so"));
        Agent agent = Agent.of(Map.of("THREADCLOCK_LIBRARY", library.toString()));
        assertThat(agent.jvmOption("stats")).isEqualTo("-agentpath:" + library + "=stats");
    }

    @Test
    void saysHowToGetALibraryThatIsNotNamed() {
        assertThatThrownBy(() -> Agent.of(Map.of()))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("THREADCLOCK_LIBRARY is not set", "./threadclock demo");
    }

    @Test
    void saysHowToGetALibraryThatIsNotThere() {
        assertThatThrownBy(() -> Agent.of(Map.of("THREADCLOCK_LIBRARY", "/nowhere/lib.so")))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("/nowhere/lib.so is no readable file", "./threadclock build");
    }

    @Test
    void isRefusedWithItsOwnWords() {
        assertThatThrownBy(() -> Agent.requireAccepted(List.of("noise", "threadclock: source rseq refused: why."), JDK))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("JDK 25.0.1 (Test)", "\"threadclock: source rseq refused: why.\"");
    }

    @Test
    void isAcceptedWhereItSaysNothing() {
        assertThatCode(() -> Agent.requireAccepted(List.of("Log configuration loaded from: x"), JDK))
                .doesNotThrowAnyException();
    }

    @Test
    void isAcceptedWhereItGoesOnWithAnotherSource() {
        String line = "threadclock: source rseq missed a context switch and is not used any more; please report";
        assertThatCode(() -> Agent.requireAccepted(List.of(line), JDK)).doesNotThrowAnyException();
    }
}
