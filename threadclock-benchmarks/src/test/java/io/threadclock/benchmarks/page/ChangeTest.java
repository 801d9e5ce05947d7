// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.page;

import static io.threadclock.benchmarks.page.ResultsFixture.series;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.benchmarks.results.Series;
import io.threadclock.benchmarks.results.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeTest {
    private final Series older = series("loop", "threadclock", 10, 11, 12);

    @Test
    void isNoiseWhereTheSpreadsOverlap() {
        assertThat(verdict(series("loop", "threadclock", 12, 20, 30))).isEqualTo(Change.Verdict.NOISE);
        assertThat(verdict(series("loop", "threadclock", 1, 2, 10))).isEqualTo(Change.Verdict.NOISE);
    }

    @Test
    void isWorseWhereEachRoundTookLonger() {
        assertThat(verdict(series("loop", "threadclock", 13, 14))).isEqualTo(Change.Verdict.WORSE);
    }

    @Test
    void isBetterWhereEachRoundTookLess() {
        assertThat(verdict(series("loop", "threadclock", 9, 8))).isEqualTo(Change.Verdict.BETTER);
    }

    @Test
    void isBetterWhereThroughputRose() {
        Subject subject = new Subject("engine.throughput", "17.0.15", "off", "units of work", null);
        Series before = new Series(subject, "1/s", List.of(100.0, 101.0));
        Series after = new Series(subject, "1/s", List.of(110.0, 111.0));
        assertThat(Change.between(before, after).verdict()).isEqualTo(Change.Verdict.BETTER);
    }

    @Test
    void isNotKnownFromOneRound() {
        assertThat(verdict(series("loop", "threadclock", 900))).isEqualTo(Change.Verdict.UNKNOWN);
    }

    @Test
    void isOneWhereBothAreZero() {
        Series zero = series("jmh.allocation", "stock", 0, 0);
        assertThat(Change.between(zero, zero).ratio()).isEqualTo(1);
    }

    private Change.Verdict verdict(Series newer) {
        return Change.between(older, newer).verdict();
    }
}
