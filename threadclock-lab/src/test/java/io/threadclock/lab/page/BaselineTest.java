// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import static io.threadclock.lab.page.ResultsFixture.at;
import static io.threadclock.lab.page.ResultsFixture.series;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class BaselineTest {
    private final Series stock = series("loop", "stock", 400, 900, 600);
    private final Series clock = series("loop", "threadclock", 4, 3, 3);

    @Test
    void dividesStockByAnotherContenderRoundByRound() {
        assertThat(Baseline.STOCK.ratio(clock, List.of(stock, clock))).contains(new Spread(200, 100, 300));
    }

    @Test
    void dividesAContenderByTheCounterRoundByRound() {
        Series counter = series("loop", "rdtsc", 2, 1, 1);
        assertThat(Baseline.COUNTER.ratio(clock, List.of(counter, clock))).contains(new Spread(3, 2, 3));
    }

    @Test
    void comparesNothingWithItself() {
        assertThat(Baseline.STOCK.ratio(stock, List.of(stock, clock))).isEmpty();
    }

    @Test
    void comparesOnlyAtTheSameParameter() {
        Series onOne = at(1.0, series("array", "stock", 10));
        Series onTwo = at(2.0, series("array", "attached", 10));
        assertThat(Baseline.STOCK.ratio(onTwo, List.of(onOne, onTwo))).isEmpty();
    }

    @Test
    void comparesOnlyTheSameTime() {
        Series user = named("stock user time", "user time", 500);
        Series cpu = named("stock CPU time", "CPU time", 100);
        Series source = named("source=perf", "user time", 10);
        Series clockId = named("PID-0 clock id", "CPU time", 50);
        List<Series> all = List.of(user, cpu, source, clockId);
        assertThat(Baseline.STOCK.ratio(source, all)).contains(Spread.of(50));
        assertThat(Baseline.STOCK.ratio(clockId, all)).contains(Spread.of(2));
        assertThat(Baseline.STOCK.ratio(cpu, all)).isEmpty();
    }

    @Test
    void tellsTheTimesOfContendersApartThatNameThemThemselves() {
        Series user = named("stock user time", "", 500);
        Series cpu = named("stock CPU time", "", 100);
        Series library = named("library FFM user time", "", 10);
        Series agent = named("threadclock CPU time", "", 20);
        List<Series> all = List.of(user, cpu, library, agent);
        assertThat(Baseline.STOCK.ratio(library, all)).contains(Spread.of(50));
        assertThat(Baseline.STOCK.ratio(agent, all)).contains(Spread.of(5));
    }

    @Test
    void givesNoRatioToNothing() {
        Series zero = series("loop", "stock", 0, 0, 0);
        Series other = series("loop", "threadclock", 0, 0, 0);
        assertThat(Baseline.STOCK.ratio(other, List.of(zero, other))).isEmpty();
    }

    private static Series named(String contender, String quantity, double ns) {
        return new Series(new Subject("jmh.average", "17.0.15", contender, quantity, null), "ns", List.of(ns));
    }
}
