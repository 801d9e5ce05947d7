// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AgentLinesTest {
    @Test
    void areFoundWhereverJmhWasInItsLine() {
        assertThat(AgentLines.in("# Fork: 1 of 1\nthreadclock: one\n# Warmup Iteration   1: threadclock: two\n"))
                .containsExactly("threadclock: one", "threadclock: two");
    }

    @Test
    void areNotTheNamesOfFiles() {
        assertThat(AgentLines.in("# VM options: -agentpath:/opt/threadclock/libthreadclock: x\n-threadclock: y"))
                .isEmpty();
    }
}
