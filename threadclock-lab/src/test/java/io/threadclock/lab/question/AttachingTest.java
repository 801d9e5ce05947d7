// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AttachingTest {
    @Test
    void takesTheCommandsOwnFigure() {
        String said = "attached to process 4711 (JDK 17.0.15, OpenJDK 64-Bit Server VM) in 132 ms\n";
        assertThat(Attaching.msSaidIn(said)).contains(132.0);
    }

    @Test
    void hasNoFigureOfACommandThatDidNotAttach() {
        assertThat(Attaching.msSaidIn("")).isEmpty();
    }
}
