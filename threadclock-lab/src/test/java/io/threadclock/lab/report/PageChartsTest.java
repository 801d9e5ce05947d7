// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.lab.report.PageCharts.Chart;
import io.threadclock.lab.report.PageCharts.Line;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PageChartsTest {
    private static final String HOSTILE = "</script><!-- & \u2028";

    private final PageCharts charts = new PageCharts();
    private final List<Measurement> growth = new ArrayList<>(List.of(
            series("stock", 4, 400, 500, 600), series("stock", 1, 100, 100, 100), series("stock", 2, 200, 200, 200)));
    private final Measurement stock =
            distribution("stock", "user time", Map.of(0.0, 5.0, 90.0, 10.0, 99.0, 30.0, 100.0, 900.0));

    @Test
    void putEachDoublingAsFarFromTheLast() {
        assertThat(growth().xs()).containsExactly(0.0, 1.0, 2.0);
        assertThat(growth().xNames()).containsExactly("1 thread", "2 threads", "4 threads");
    }

    @Test
    void drawMediansWithTheirSpreads() {
        Line line = growth().lines().get(0);
        assertThat(line.amounts()).containsExactly(100.0, 200.0, 500.0);
        assertThat(line.least()).containsExactly(100.0, 200.0, 400.0);
        assertThat(line.most()).containsExactly(100.0, 200.0, 600.0);
        assertThat(List.of(growth().least(), growth().most())).containsExactly(100.0, 600.0);
    }

    @Test
    void leaveAGapWhereAContenderWasNotMeasured() {
        growth.add(series("threadclock", 2, 7));
        assertThat(growth().lines().get(1).amounts()).containsExactly(null, 7.0, null);
        Measurement other = distribution("threadclock", "user time", Map.of(99.0, 2.0));
        assertThat(percentiles(stock, other).lines().get(1).amounts()).containsExactly(null, null, 2.0, null);
    }

    @Test
    void sayInWordsWhereGrowthBeginsAndEnds() {
        assertThat(growth().summary()).isEqualTo("JDK 17, from 1 thread to 4 threads: stock from 100 ns to 500 ns.");
    }

    @Test
    void needThreePointsAndSomethingPositive() {
        assertThat(PageCharts.growth("", growth.subList(0, 2))).isEmpty();
        assertThat(PageCharts.growth("", List.of(series("a", 1, 0), series("a", 2, 0), series("a", 3, 0))))
                .isEmpty();
    }

    @Test
    void putEachNineAsFarFromTheLastAndTheGreatestBeyond() {
        List<Double> xs = percentiles(stock).xs();
        assertThat(xs.get(0)).isZero();
        assertThat(xs.get(1)).isCloseTo(1, within(1e-9));
        assertThat(xs.get(2)).isCloseTo(2, within(1e-9));
        assertThat(xs.get(3)).isGreaterThan(xs.get(2));
        assertThat(percentiles(stock).xTicks())
                .extracting(PageCharts.Tick::name)
                .containsExactly("90", "99", "max");
    }

    @Test
    void nameTheQuantityOnlyWhereContendersDifferByNothingElse() {
        Measurement cpu = distribution("stock", "CPU time", Map.of(99.0, 2.0));
        assertThat(percentiles(stock).lines().get(0).name()).isEqualTo("stock");
        assertThat(percentiles(stock, cpu).lines())
                .extracting(Line::name)
                .containsExactly("stock, user time", "stock, CPU time");
    }

    @Test
    void hideTheLessTellingOfManyLines() {
        Measurement[] many = new Measurement[10];
        for (int i = 0; i < many.length; i++) {
            many[i] = distribution(i == 9 ? "stock" : "source=" + i, "user time", Map.of(50.0, 1.0, 99.0, 2.0));
        }
        assertThat(percentiles(many).lines())
                .filteredOn(Line::shown)
                .extracting(Line::name)
                .contains("stock")
                .hasSizeLessThanOrEqualTo(8);
    }

    @Test
    void cannotEndTheScriptTheyAreInAndKeepTheirTexts() throws Exception {
        charts.write(new Html(), List.of(percentiles(distribution(HOSTILE, "", Map.of(50.0, 1.0, 99.0, 2.0)))));
        assertThat(charts.json()).doesNotContain("<").doesNotContain(">").doesNotContain("&");
        assertThat(read().at("/0/lines/0/name").asText()).isEqualTo(HOSTILE);
    }

    @Test
    void haveOneScaleWhereTheyStandBesideOneAnother() throws Exception {
        Html html = new Html();
        charts.write(html, List.of(growth(), percentiles(stock)));
        assertThat(read().findValuesAsText("least")).contains("5.0").doesNotContain("100.0");
        assertThat(html.toString()).contains("role=\"img\" aria-label=\"JDK 17, from 1 thread");
    }

    private JsonNode read() throws Exception {
        return new ObjectMapper().readTree(charts.json());
    }

    private Chart growth() {
        return PageCharts.growth("JDK 17", growth).orElseThrow();
    }

    private static Chart percentiles(Measurement... distributions) {
        return PageCharts.percentiles("JDK 17", List.of(distributions)).orElseThrow();
    }

    private static Measurement series(String contender, double parameter, double... rounds) {
        Subject subject = new Subject("jmh.threads", "17.0.15", contender, "user time", parameter);
        return Measurement.of(subject, "ns", Arrays.stream(rounds).boxed().toList());
    }

    private static Measurement distribution(String contender, String quantity, Map<Double, Double> percentiles) {
        Subject subject = new Subject("latency", "17.0.15", contender, quantity, 16.0);
        return Measurement.of(subject, "ns", 10, 7, new TreeMap<>(percentiles));
    }
}
