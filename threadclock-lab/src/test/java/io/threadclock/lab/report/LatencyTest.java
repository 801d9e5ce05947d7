// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import org.junit.jupiter.api.Test;

class LatencyTest {
    private static final String JDK = "17.0.15";

    private final MadeUpRun run = new MadeUpRun(JDK);

    @Test
    void takesTheTimerOffBothMeansRoundByRound() {
        means(Contest.STOCK, "timer", 20, 20);
        means(Contest.STOCK, "user time", 1020, 420);
        means(Contest.THREADCLOCK, "timer", 40, 20);
        means(Contest.THREADCLOCK, "user time", 50, 40);
        assertThat(latency().gainAtMean("user time")).isEqualTo(new Spread(60, 20, 100));
    }

    @Test
    void takesAtLeastANanosecondWithoutTheTimer() {
        means(Contest.STOCK, "timer", 20);
        means(Contest.STOCK, "user time", 1020);
        means(Contest.THREADCLOCK, "timer", 40);
        means(Contest.THREADCLOCK, "user time", 30);
        assertThat(latency().gainAtMean("user time")).isEqualTo(new Spread(1000, 1000, 1000));
    }

    @Test
    void isBetterAtEachPercentileIfItIsBelowAtEach() {
        run.latency(JDK, Contest.STOCK, 1000).latency(JDK, Contest.THREADCLOCK, 50);
        assertThat(latency().percentilesNotBetter("user time")).isEmpty();
    }

    @Test
    void namesThePercentilesAtWhichItIsNotBetter() {
        means(Contest.STOCK, "user time", 100);
        run.distribution(Benchmarks.LATENCY, JDK, Contest.STOCK, "user time", 16.0, 900, 100);
        run.distribution(Benchmarks.LATENCY, JDK, Contest.THREADCLOCK, "user time", 16.0, 900, 50);
        assertThat(latency().percentilesNotBetter("user time")).containsExactly(99.99);
    }

    private void means(String clock, String quantity, double... ns) {
        run.figure(Benchmarks.LATENCY, JDK, clock, quantity, 16.0, ns);
    }

    private Latency latency() {
        return Latency.all(run.results()).get(0);
    }
}
