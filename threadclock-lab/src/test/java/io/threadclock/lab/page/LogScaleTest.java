// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class LogScaleTest {
    @Test
    void goesFromTheStepBelowToTheStepAbove() {
        assertThat(LogScale.around(DoubleStream.of(23, 340))).isEqualTo(new LogScale(20, 500));
        assertThat(LogScale.around(DoubleStream.of(10, 1_000))).isEqualTo(new LogScale(10, 1_000));
    }

    @Test
    void hasRoomWhereAllIsTheSame() {
        assertThat(LogScale.around(DoubleStream.of(10))).isEqualTo(new LogScale(10, 20));
    }

    @Test
    void standsWhereThereIsNothingPositive() {
        assertThat(LogScale.around(DoubleStream.of(0, -3))).isEqualTo(new LogScale(1, 10));
    }

    @Test
    void hasTheMoreTicksTheShorterItIs() {
        assertThat(new LogScale(20, 50).ticks()).containsExactly(20.0, 30.0, 40.0, 50.0);
        assertThat(new LogScale(20, 500).ticks()).containsExactly(20.0, 50.0, 100.0, 200.0, 500.0);
        assertThat(new LogScale(20, 50_000).ticks()).containsExactly(100.0, 1_000.0, 10_000.0);
    }
}
