// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UserTimeWayTest {
    @Test
    void jdk25ReadsProcByItselfAndTheTickCounterThroughTheAgent() {
        assertThat(UserTimeWay.UP_TO_JDK_25.agentOptions(25)).isEmpty();
        assertThat(UserTimeWay.JDK_26.agentOptions(25)).hasValue("source=ticks");
    }

    @Test
    void jdk26ReadsTheTickCounterByItselfAndProcThroughTheAgent() {
        assertThat(UserTimeWay.UP_TO_JDK_25.agentOptions(26)).hasValue("source=proc");
        assertThat(UserTimeWay.JDK_26.agentOptions(26)).isEmpty();
    }

    @Test
    void threadclockIsTheAgentAsItComes() {
        assertThat(UserTimeWay.THREADCLOCK.agentOptions(17)).hasValue("source=auto");
    }
}
