// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.Exchange;
import io.threadclock.harness.Jdks;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TickTrapProgramTest {
    private static final long TICK_NS = 4_000_000;
    private static final long LEAD_NS = 100_000;

    /** The real program in a JVM of its own, without the agent. About a second. */
    @Test
    void chargesBurstsAtEachPhaseOfTheTick() {
        try (Exchange child =
                new Exchange("the tick trap", ChildJvm.on(Jdks.running()).mainClass(TickTrapProgram.class))) {
            assertThat(child.ask(new TickTrapProgram.Request(TICK_NS, 4, 5), TickTrapProgram.Answer.class)
                            .phases())
                    .extracting(TickTrapProgram.Phase::offsetNs)
                    .containsExactly(500_000L, 1_500_000L, 2_500_000L, 3_500_000L);
        }
    }

    @Test
    void beginsAtItsOffsetWithinTheTickWheneverItIsAsked() {
        assertThat(LongStream.range(0, 1000).map(i -> nextNs(i * 12_347)))
                .allMatch(beginNs -> beginNs % TICK_NS == 750_000);
    }

    @Test
    void leavesAtLeastTheLeadAndAtMostOneTickMore() {
        for (long nowNs = 0; nowNs < 3 * TICK_NS; nowNs += 12_347) {
            assertThat(nextNs(nowNs)).isBetween(nowNs + LEAD_NS, nowNs + LEAD_NS + TICK_NS - 1);
        }
    }

    @Test
    void takesTheNextTickWhenThisOneIsTooNear() {
        assertThat(nextNs(650_000)).isEqualTo(750_000);
        assertThat(nextNs(650_001)).isEqualTo(TICK_NS + 750_000);
    }

    @Test
    void worksOnAClockThatIsNegative() {
        assertThat(nextNs(-10 * TICK_NS)).isEqualTo(-10 * TICK_NS + 750_000);
    }

    private static long nextNs(long nowNs) {
        return TickTrapProgram.nextNs(TICK_NS, 750_000, nowNs + LEAD_NS);
    }
}
