// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import static io.threadclock.lab.page.ResultsFixture.at;
import static io.threadclock.lab.page.ResultsFixture.series;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Series;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrowthChartTest {
    private static final LogScale SCALE = new LogScale(1, 1_000);

    private final List<Series> series = new ArrayList<>(List.of(
            at(4.0, series("jmh.threads", "stock", 400, 500, 600)),
            at(1.0, series("jmh.threads", "stock", 100, 100, 100)),
            at(2.0, series("jmh.threads", "stock", 200, 200, 200))));

    @Test
    void putsEachDoublingAsFarFromTheLast() {
        assertThat(chart().xs()).containsExactly(0.0, 1.0, 2.0);
        assertThat(chart().xNames()).containsExactly("1 thread", "2 threads", "4 threads");
    }

    @Test
    void drawsMediansWithTheirSpreads() {
        Chart.Line line = chart().lines().get(0);
        assertThat(line.amounts()).containsExactly(100.0, 200.0, 500.0);
        assertThat(line.least()).containsExactly(100.0, 200.0, 400.0);
        assertThat(line.most()).containsExactly(100.0, 200.0, 600.0);
    }

    @Test
    void leavesAGapWhereAContenderWasNotMeasured() {
        series.add(at(2.0, series("jmh.threads", "threadclock", 7)));
        assertThat(chart().lines().get(1).amounts()).containsExactly(null, 7.0, null);
    }

    @Test
    void saysInWordsWhereItBeginsAndEnds() {
        assertThat(chart().summary()).isEqualTo("JDK 17, from 1 thread to 4 threads: stock from 100 ns to 500 ns.");
    }

    @Test
    void needsThreePointsAndSomethingPositive() {
        assertThat(growth(series).isDrawable()).isTrue();
        assertThat(growth(series.subList(0, 2)).isDrawable()).isFalse();
        Series zero = series("jmh.threads", "stock", 0);
        assertThat(growth(List.of(at(1, zero), at(2, zero), at(3, zero))).isDrawable()).isFalse();
    }

    private Chart chart() {
        return growth(series).chart("JDK 17", SCALE);
    }

    private static GrowthChart growth(List<Series> series) {
        return new GrowthChart(Question.of("jmh.threads"), series);
    }
}
