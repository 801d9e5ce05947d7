// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LogAxisTest {
    @Test
    void givesEachPowerOfTenTheSameRoom() {
        LogAxis axis = new LogAxis(1, 1000, 300, 0);
        assertThat(axis.place(1)).isEqualTo(300);
        assertThat(axis.place(10)).isCloseTo(200, within(1e-9));
        assertThat(axis.place(1000)).isCloseTo(0, within(1e-9));
    }

    @Test
    void reachesFromThePowerOfTenBelowToTheOneAbove() {
        LogAxis axis = LogAxis.aroundDecades(3, 45_000, 0, 100);
        assertThat(axis.least()).isEqualTo(1);
        assertThat(axis.most()).isEqualTo(100_000);
    }

    @Test
    void hasTheSpanOfOnePowerOfTenAtLeast() {
        assertThat(LogAxis.aroundDecades(10, 10, 0, 100).most()).isEqualTo(100);
    }

    @Test
    void marksThePowersOfTenBetweenItsEnds() {
        assertThat(new LogAxis(0.1, 100, 0, 1).decades()).containsExactly(0.1, 1.0, 10.0, 100.0);
        assertThat(new LogAxis(7, 7000, 0, 1).decades()).containsExactly(10.0, 100.0, 1000.0);
    }
}
