// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.demo.message.Message;
import io.threadclock.lab.demo.message.TrapPhase;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdks;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The real program in a JVM of its own, without the agent. Under a second. */
class TickTrapProgramTest {
    @Test
    void chargesBurstsAtEachPhaseOfTheTick() {
        ChildResult ended = ChildJvm.on(Jdks.running())
                .mainClass(TickTrapProgram.class)
                .arguments("4000000", "4", "5")
                .run();
        assertThat(ended.stdoutLines().stream()
                        .map(Message::parse)
                        .flatMap(Optional::stream)
                        .map(TrapPhase::of)
                        .map(TrapPhase::offsetNs))
                .as(ended.stderr())
                .containsExactly(500_000L, 1_500_000L, 2_500_000L, 3_500_000L);
    }
}
