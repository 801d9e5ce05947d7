// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Spread;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LoopMeasurementTest {
    private final LoopMeasurement loop = new LoopMeasurement(new Jdk(Path.of("/jdk"), "17.0.15", ""));

    @Test
    void isMedianLeastAndMostOfTheRounds() {
        rounds(ClockChoice.STOCK, 4000, 3000, 9000);
        assertThat(loop.ns(ClockChoice.STOCK, Call.USER_TIME)).isEqualTo(new Spread(4000, 3000, 9000));
    }

    @Test
    void gainsOverStockRoundByRound() {
        rounds(ClockChoice.STOCK, 4000, 8000, 3000);
        rounds(ClockChoice.AUTO, 10, 40, 10);
        assertThat(loop.gain(ClockChoice.AUTO, Call.USER_TIME)).isEqualTo(new Spread(300, 200, 400));
    }

    @Test
    void hasOnlyTheClocksThatWereNotRefused() {
        rounds(ClockChoice.STOCK, 4000);
        assertThat(loop.has(ClockChoice.STOCK)).isTrue();
        assertThat(loop.has(ClockChoice.PERF)).isFalse();
    }

    private void rounds(ClockChoice clock, double... ns) {
        for (double round : ns) {
            loop.add(clock, Call.USER_TIME, round);
        }
    }
}
