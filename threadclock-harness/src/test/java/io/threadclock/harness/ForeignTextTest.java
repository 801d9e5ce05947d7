// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The output of the kernel, the agent and child JVMs, as far as published results depend on it. */
class ForeignTextTest {
    @Test
    void theTickIsTheSmallestUsualStepBetweenStamps() {
        assertThat(ClockTick.perSecond(List.of(0L, 0L, 4_000_000L, 12_000_000L, 16_000_000L)))
                .hasValue(250);
        assertThat(ClockTick.perSecond(List.of(0L, 914_739L, 4_914_739L, 8_914_739L)))
                .as("one finer stamp, of a file that was looked at")
                .hasValue(250);
        assertThat(ClockTick.perSecond(List.of(0L, 17_042L, 38_117L)))
                .as("finer than any tick")
                .isEmpty();
    }

    @Test
    void theAgentsRefusalIsToldFromItsOtherLines() {
        String refusal = "threadclock: source perf refused: perf_event_open: EACCES. The JVM runs without threadclock.";
        String demotion = "threadclock: source rseq missed a context switch and is not used any more";
        assertThat(AgentLibrary.refusalIn(List.of("warning", refusal))).contains(refusal);
        assertThat(AgentLibrary.refusalIn(List.of(demotion, "a warning of threadclock: no")))
                .isEmpty();
    }

    @Test
    void aChildsAnswersAreToldFromWhatItPrintsBeside() {
        String stdout = "warning: {\"answer\":1}\n{\"answer\":2}\n{\"rows\": []}\n{\"answer\": 3}\n";
        assertThat(Exchange.answersIn(stdout, Integer.class)).containsExactly(2, 3);
        assertThatThrownBy(() -> Exchange.answersIn("{\"answer\":[2,", List.class))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
