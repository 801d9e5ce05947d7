// SPDX-License-Identifier: Apache-2.0
package io.threadclock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoPlanTest {
    private static final int CONTENDERS_ON_AND_OFF = 4;
    private static final long TICK_MS = 4;

    @Test
    void measuresWithOneThreadAndWithMoreThreadsThanCpus() {
        assertThat(DemoPlan.full(2, 2).workers()).containsExactly(1, 8);
        assertThat(DemoPlan.full(2, 64).workers()).containsExactly(1, 128);
    }

    @Test
    void theFullPlanLeavesRoomInThreeMinutes() {
        assertThat(plannedMs(DemoPlan.full(2, 2), 2)).isLessThan(140_000);
    }

    @Test
    void theQuickPlanLeavesRoomInFortySeconds() {
        assertThat(plannedMs(DemoPlan.quick(2, 2), 2)).isLessThan(22_000);
    }

    @Test
    void moreJdksTakeNoMoreTimeTogether() {
        assertThat(plannedMs(DemoPlan.full(4, 2), 4)).isEqualTo(plannedMs(DemoPlan.full(2, 2), 2));
    }

    /** What is planned, without the start of the programs. */
    private static long plannedMs(DemoPlan plan, int jdks) {
        long phasesMs = plan.phaseMs() * plan.rounds() * plan.workers().size() * CONTENDERS_ON_AND_OFF;
        long trapMs = TICK_MS * plan.bursts() * DemoPlan.TICK_PHASES * UserTimeWay.values().length;
        return jdks * (plan.warmupMs() + phasesMs) + trapMs;
    }
}
