// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BurstScheduleTest {
    private static final long TICK_NS = 4_000_000;
    private static final long LEAD_NS = 100_000;

    private final BurstSchedule schedule = new BurstSchedule(TICK_NS, 750_000);

    @Test
    void beginsAtItsOffsetWithinTheTickWheneverItIsAsked() {
        assertThat(LongStream.range(0, 1000).map(i -> schedule.nextNs(i * 12_347, LEAD_NS)))
                .allMatch(beginNs -> beginNs % TICK_NS == 750_000);
    }

    @Test
    void leavesAtLeastTheLeadAndAtMostOneTickMore() {
        for (long nowNs = 0; nowNs < 3 * TICK_NS; nowNs += 12_347) {
            assertThat(schedule.nextNs(nowNs, LEAD_NS)).isBetween(nowNs + LEAD_NS, nowNs + LEAD_NS + TICK_NS - 1);
        }
    }

    @Test
    void takesTheNextTickWhenThisOneIsTooNear() {
        assertThat(schedule.nextNs(650_000, LEAD_NS)).isEqualTo(750_000);
        assertThat(schedule.nextNs(650_001, LEAD_NS)).isEqualTo(TICK_NS + 750_000);
    }

    @Test
    void worksOnAClockThatIsNegative() {
        assertThat(schedule.nextNs(-10 * TICK_NS, LEAD_NS)).isEqualTo(-10 * TICK_NS + 750_000);
    }
}
