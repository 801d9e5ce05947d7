// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.question.TickTrap.Way;
import org.junit.jupiter.api.Test;

class TickTrapTableTest {
    private final MadeUpRun run = new MadeUpRun("25.0.1");

    @Test
    void hasOneRowForEachPhaseOfTheTick() {
        assertThat(measured().byPhase().toMarkdown().lines().skip(4).limit(2))
                .containsExactly(
                        "| 0 | 12 | 10.0 / 3.0 | 333 % | 0.0 / 3.0 | 0 % | 3.0 / 3.0 | 100 % |",
                        "| 2,000 | 12 | 0.0 / 3.0 | 0 % | 48.0 / 4.0 | 1200 % | 4.0 / 4.0 | 100 % |");
    }

    @Test
    void tellsTheExtremesOfEachWayInASentence() {
        assertThat(measured().inWords())
                .endsWith("tick: 0 % to 333 % by JDK ≤ 25; 0 % to 1200 % by JDK 26; 100 % to 100 % by threadclock."
                        + " The right share is 100 %.");
    }

    @Test
    void leavesOutPhasesAtWhichNoBurstWasOnTime() {
        run.tickTrap("25.0.1", Way.UP_TO_JDK_25, 0, 0, 0, 0)
                .tickTrap("25.0.1", Way.JDK_26, 0, 12, 2, 4)
                .tickTrap("25.0.1", Way.THREADCLOCK, 0, 12, 4, 4);
        TickTrapTable busy = new TickTrapTable(run.results());
        assertThat(busy.byPhase().toMarkdown()).contains("| 0 | 0 | 0.0 / 0.0 | – | 2.0 / 4.0 | 50 % |");
        assertThat(busy.inWords()).contains("not measured by JDK ≤ 25; 50 % to 50 % by JDK 26;");
    }

    @Test
    void saysThatSharesOfFewBurstsSayLittle() {
        assertThat(measured().byPhase().toMarkdown()).doesNotContain("say little");
        run.tickTrap("25.0.1", Way.UP_TO_JDK_25, 3, 12, 10, 3)
                .tickTrap("25.0.1", Way.JDK_26, 3, 9, 0, 3)
                .tickTrap("25.0.1", Way.THREADCLOCK, 3, 12, 3, 3);
        assertThat(new TickTrapTable(run.results()).byPhase().toMarkdown())
                .contains("At 1 of 3 phases fewer than 10 bursts began on time");
    }

    private TickTrapTable measured() {
        run.tickTrap("25.0.1", Way.UP_TO_JDK_25, 0, 12, 10, 3).tickTrap("25.0.1", Way.UP_TO_JDK_25, 2, 12, 0, 3);
        run.tickTrap("25.0.1", Way.JDK_26, 0, 12, 0, 3).tickTrap("25.0.1", Way.JDK_26, 2, 12, 48, 4);
        run.tickTrap("25.0.1", Way.THREADCLOCK, 0, 12, 3, 3).tickTrap("25.0.1", Way.THREADCLOCK, 2, 12, 4, 4);
        return new TickTrapTable(run.results());
    }
}
