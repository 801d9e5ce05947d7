// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.demo.message.TrapPhase;
import io.threadclock.harness.Jdk;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TickTrapTableTest {
    private static final long MS = 1_000_000;

    private final TickTrapTable table = new TickTrapTable(new TickTrapMeasurement(
            new Jdk(Path.of("/jdk"), "25.0.1", "Test"),
            4 * MS,
            Map.of(
                    UserTimeWay.UP_TO_JDK_25, List.of(phase(0, 10, 3), phase(2, 0, 3)),
                    UserTimeWay.JDK_26, List.of(phase(0, 0, 3), phase(2, 48, 4)),
                    UserTimeWay.THREADCLOCK, List.of(phase(0, 3, 3), phase(2, 4, 4)))));

    @Test
    void hasOneRowForEachPhaseOfTheTick() {
        assertThat(table.byPhase().table().toMarkdown().lines().skip(2))
                .containsExactly(
                        "| 0 | 12 | 10.0 / 3.0 | 333 % | 0.0 / 3.0 | 0 % | 3.0 / 3.0 | 100 % |",
                        "| 2,000 | 12 | 0.0 / 3.0 | 0 % | 48.0 / 4.0 | 1200 % | 4.0 / 4.0 | 100 % |");
    }

    @Test
    void tellsTheExtremesOfEachWayInASentence() {
        assertThat(table.inWords())
                .endsWith("tick: JDK ≤ 25 0 % to 333 %; JDK 26 0 % to 1200 %; threadclock 100 % to 100 %."
                        + " The right share is 100 %.");
    }

    @Test
    void leavesOutPhasesAtWhichNoBurstWasOnTime() {
        TrapPhase missed = new TrapPhase(0, 0, 0, 0);
        TickTrapTable busy = new TickTrapTable(new TickTrapMeasurement(
                new Jdk(Path.of("/jdk"), "25.0.1", "Test"),
                4 * MS,
                Map.of(
                        UserTimeWay.UP_TO_JDK_25, List.of(missed),
                        UserTimeWay.JDK_26, List.of(phase(0, 2, 4)),
                        UserTimeWay.THREADCLOCK, List.of(phase(0, 4, 4)))));
        assertThat(busy.byPhase().table().toMarkdown()).contains("| 0 | 0 | 0.0 / 0.0 | – | 2.0 / 4.0 | 50 % |");
        assertThat(busy.inWords()).contains("JDK ≤ 25 not measured; JDK 26 50 % to 50 %;");
    }

    private static TrapPhase phase(long offsetMs, long userMs, long cpuMs) {
        return new TrapPhase(offsetMs * MS, 12, userMs * MS, cpuMs * MS);
    }
}
