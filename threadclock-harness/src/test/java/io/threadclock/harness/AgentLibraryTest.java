// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentLibraryTest {
    @TempDir
    Path home;

    @Test
    void isTheFileThatTheEnvironmentNames() throws IOException {
        Path named = Files.createFile(home.resolve("other.so"));
        AgentLibrary library = AgentLibrary.of(Map.of("THREADCLOCK_LIBRARY", named.toString()), home);
        assertThat(library.path()).isEqualTo(named);
    }

    @Test
    void isTheOneBuiltInTheCheckoutWhereTheEnvironmentNamesNone() throws IOException {
        Path build = Files.createDirectories(home.resolve("threadclock-native/build"));
        Path built = Files.createFile(build.resolve("libthreadclock.so"));
        assertThat(AgentLibrary.of(Map.of(), home).path()).isEqualTo(built);
    }

    @Test
    void saysHowToGetTheLibraryThatIsNotThere() {
        assertThatThrownBy(() -> AgentLibrary.of(Map.of("THREADCLOCK_LIBRARY", "/nowhere/lib.so"), home))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("/nowhere/lib.so", "no readable file", "./threadclock build");
    }

    @Test
    void becomesAnOptionOfTheJvm() {
        AgentLibrary library = new AgentLibrary(Path.of("/lib/libthreadclock.so"));
        assertThat(library.jvmOption("")).isEqualTo("-agentpath:/lib/libthreadclock.so");
        assertThat(library.jvmOption("source=perf,stats"))
                .isEqualTo("-agentpath:/lib/libthreadclock.so=source=perf,stats");
    }

    @Test
    void knowsTheLinesOfTheAgentByTheirBeginning() {
        List<String> stderr = List.of("threadclock: source rseq", "a warning of threadclock: no", "something else");
        assertThat(AgentLibrary.linesOf(stderr)).containsExactly("threadclock: source rseq");
    }

    @Test
    void takesALineOfTheAgentForARefusal() {
        String refusal = "threadclock: source perf refused: perf_event_open: EACCES. The JVM runs without threadclock.";
        assertThat(AgentLibrary.refusalIn(List.of("warning", refusal))).contains(refusal);
    }

    @Test
    void takesADemotionForNoRefusal() {
        String demotion = "threadclock: source rseq missed a context switch and is not used any more";
        assertThat(AgentLibrary.refusalIn(List.of(demotion))).isEmpty();
    }
}
