// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.harness.Jdk;
import io.threadclock.harness.Spread;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyMeasurementTest {
    private final LatencyMeasurement latency = new LatencyMeasurement(new Jdk(Path.of("/jdk"), "17.0.15", ""), 16);

    @Test
    void takesTheTimerOffBothMeansRoundByRound() {
        round(ClockChoice.STOCK, 20, 1020);
        round(ClockChoice.AUTO, 40, 50);
        round(ClockChoice.STOCK, 20, 420);
        round(ClockChoice.AUTO, 20, 40);
        assertThat(latency.gainAtMean(Call.USER_TIME)).isEqualTo(new Spread(60, 20, 100));
    }

    @Test
    void leavesTheTimerInWhereAskedTo() {
        round(ClockChoice.STOCK, 20, 1000);
        round(ClockChoice.AUTO, 20, 50);
        assertThat(latency.gainAtMeanWithTimer(Call.USER_TIME)).isEqualTo(new Spread(20, 20, 20));
    }

    @Test
    void addsTheRoundsUp() {
        round(ClockChoice.STOCK, 20, 100);
        round(ClockChoice.STOCK, 20, 300);
        Histogram total = latency.total(ClockChoice.STOCK, Call.USER_TIME);
        assertThat(total.getTotalCount()).isEqualTo(2);
        assertThat(total.getMean()).isEqualTo(200);
    }

    @Test
    void isBetterAtEachPercentileIfItIsBelowAtEach() {
        round(ClockChoice.STOCK, 20, 1000);
        round(ClockChoice.AUTO, 20, 50);
        assertThat(latency.percentilesNotBetter(Call.USER_TIME)).isEmpty();
    }

    @Test
    void namesThePercentilesAtWhichItIsNotBetter() {
        latency.add(ClockChoice.STOCK, Call.USER_TIME, histogram(100, 100, 100));
        latency.add(ClockChoice.AUTO, Call.USER_TIME, histogram(50, 50, 900));
        assertThat(latency.percentilesNotBetter(Call.USER_TIME)).containsExactly(90.0, 95.0, 99.0, 99.9, 99.99);
    }

    private void round(ClockChoice clock, long timerNs, long userCallNs) {
        latency.add(clock, Call.EMPTY, histogram(timerNs));
        latency.add(clock, Call.USER_TIME, histogram(userCallNs));
    }

    private static Histogram histogram(long... values) {
        Histogram histogram = new Histogram(3);
        for (long value : values) {
            histogram.recordValue(value);
        }
        return histogram;
    }
}
