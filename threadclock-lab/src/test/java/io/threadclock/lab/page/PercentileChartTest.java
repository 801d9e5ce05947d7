// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Subject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PercentileChartTest {
    private static final LogScale SCALE = new LogScale(1, 1_000);

    private final Distribution stock =
            distribution("stock", "user time", Map.of(0.0, 5.0, 90.0, 10.0, 99.0, 30.0, 100.0, 900.0));

    @Test
    void putsEachNineAsFarFromTheLastAndTheGreatestBeyond() {
        List<Double> xs = chart(stock).xs();
        assertThat(xs.get(0)).isZero();
        assertThat(xs.get(1)).isCloseTo(1, within(1e-9));
        assertThat(xs.get(2)).isCloseTo(2, within(1e-9));
        assertThat(xs.get(3)).isGreaterThan(xs.get(2));
    }

    @Test
    void namesTheUsualPercentiles() {
        assertThat(chart(stock).xTicks()).extracting(Chart.Tick::name).containsExactly("90", "99", "max");
    }

    @Test
    void leavesAGapWhereAContenderHasNoSuchPercentile() {
        Distribution other = distribution("threadclock", "user time", Map.of(99.0, 2.0));
        assertThat(chart(stock, other).lines().get(1).amounts()).containsExactly(null, null, 2.0, null);
    }

    @Test
    void namesTheQuantityOnlyWhereContendersDifferByNothingElse() {
        Distribution cpu = distribution("stock", "CPU time", Map.of(99.0, 2.0));
        assertThat(chart(stock).lines().get(0).name()).isEqualTo("stock");
        assertThat(chart(stock, cpu).lines()).extracting(Chart.Line::name)
                .containsExactly("stock, user time", "stock, CPU time");
    }

    @Test
    void hidesTheLessTellingOfManyLines() {
        Distribution[] many = new Distribution[10];
        for (int i = 0; i < many.length; i++) {
            many[i] = distribution(i == 9 ? "stock" : "source=" + i, "user time", Map.of(50.0, 1.0, 99.0, 2.0));
        }
        assertThat(chart(many).lines()).filteredOn(Chart.Line::shown).extracting(Chart.Line::name)
                .contains("stock")
                .hasSizeLessThanOrEqualTo(8);
    }

    private static Chart chart(Distribution... distributions) {
        return new PercentileChart(List.of(distributions)).chart("JDK 17", SCALE);
    }

    private static Distribution distribution(String contender, String quantity, Map<Double, Double> percentiles) {
        Subject subject = new Subject("latency", "17.0.15", contender, quantity, 16.0);
        return new Distribution(subject, "ns", 10, 7, new TreeMap<>(percentiles));
    }
}
