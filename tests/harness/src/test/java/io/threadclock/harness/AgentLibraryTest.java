// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AgentLibraryTest {
    @Test
    void theAgentsRefusalIsToldFromItsOtherLines() {
        String refusal = "threadclock: source perf refused: perf_event_open: EACCES. The JVM runs without threadclock.";
        String demotion = "threadclock: source rseq missed a context switch and is not used any more";
        assertThat(AgentLibrary.refusalIn(List.of("warning", refusal))).contains(refusal);
        assertThat(AgentLibrary.refusalIn(List.of(demotion, "a warning of threadclock: no")))
                .isEmpty();
    }
}
