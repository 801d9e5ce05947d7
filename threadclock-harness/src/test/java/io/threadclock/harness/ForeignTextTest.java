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

/** Parsers of what the kernel, the agent and child JVMs print. */
class ForeignTextTest {
    @TempDir
    private Path directory;

    @Test
    void theTickIsTheSmallestUsualStepBetweenStamps() {
        assertThat(ClockTick.perSecond(List.of(0L, 0L, 4_000_000L, 12_000_000L, 16_000_000L)))
                .hasValue(250);
        assertThat(ClockTick.perSecond(List.of(0L, 3_333_333L, 6_666_667L)))
                .as("rounded to ns")
                .hasValue(300);
        assertThat(ClockTick.perSecond(List.of(0L, 914_739L, 4_914_739L, 8_914_739L)))
                .as("one finer stamp, of a file that was looked at")
                .hasValue(250);
        assertThat(ClockTick.perSecond(List.of(0L, 17_042L, 38_117L)))
                .as("finer than any tick")
                .isEmpty();
        assertThat(ClockTick.perSecond(List.of(0L, 1_000_000_000L, 2_000_000_000L)))
                .as("whole seconds")
                .isEmpty();
    }

    @Test
    void theLoadIsThatBeforeTheBuildAndWarnsWhereMoreThanHalfOfTheCpusAreBusy() throws IOException {
        Path file = Files.writeString(directory.resolve("loadavg"), "1.01 1.05 2.00 3/456 7890\n");
        assertThat(LoadAverage.of(Map.of("THREADCLOCK_LOAD", "0.11"), file)).hasToString("0.11");
        LoadAverage load = LoadAverage.of(Map.of(), file);
        assertThat(load).hasToString("1.01");
        assertThat(load.warning(2)).hasValueSatisfying(warning -> assertThat(warning)
                .startsWith("the load average was 1.01 on 2 CPUs before this began"));
        assertThat(load.warning(16)).isEmpty();
        assertThat(LoadAverage.of(Map.of(), directory.resolve("none"))).hasToString("unknown");
    }

    @Test
    void theAgentsRefusalIsToldFromItsOtherLines() {
        String refusal = "threadclock: source perf refused: perf_event_open: EACCES. The JVM runs without threadclock.";
        String demotion = "threadclock: source rseq missed a context switch and is not used any more";
        assertThat(AgentLibrary.refusalIn(List.of("warning", refusal))).contains(refusal);
        assertThat(AgentLibrary.refusalIn(List.of(demotion))).isEmpty();
        assertThat(AgentLibrary.linesOf(List.of(demotion, "a warning of threadclock: no")))
                .containsExactly(demotion);
    }

    @Test
    void theLibraryThatIsNotThereIsToldWithWhatBuildsIt() {
        assertThatThrownBy(() -> AgentLibrary.of(Map.of("THREADCLOCK_LIBRARY", "/nowhere/lib.so"), directory))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("/nowhere/lib.so", "no readable file", "./threadclock build");
    }

    @Test
    void aChildsAnswersAreToldFromWhatItPrintsBeside() {
        String stdout = "warning: {\"answer\":1}\n{\"answer\":2}\n{\"rows\": []}\n{\"answer\": 3}\n";
        assertThat(Exchange.answersIn(stdout, Integer.class)).containsExactly(2, 3);
        String cutOff = "{\"answer\":[2,";
        assertThatThrownBy(() -> Exchange.answersIn(cutOff, List.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no List: " + cutOff);
    }
}
