// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TickTrapTest {
    @Test
    void jdk25ReadsProcByItselfAndTheTickCounterThroughTheAgent() {
        assertThat(TickTrap.Way.UP_TO_JDK_25.agentOptions(25)).isEmpty();
        assertThat(TickTrap.Way.JDK_26.agentOptions(25)).hasValue("source=ticks");
    }

    @Test
    void jdk26ReadsTheTickCounterByItselfAndProcThroughTheAgent() {
        assertThat(TickTrap.Way.UP_TO_JDK_25.agentOptions(26)).hasValue("source=proc");
        assertThat(TickTrap.Way.JDK_26.agentOptions(26)).isEmpty();
    }

    @Test
    void threadclockIsTheAgentAsItComes() {
        assertThat(TickTrap.Way.THREADCLOCK.agentOptions(17)).hasValue("source=auto");
    }
}
