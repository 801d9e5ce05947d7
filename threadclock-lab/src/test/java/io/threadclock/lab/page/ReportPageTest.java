// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import static io.threadclock.lab.page.ResultsFixture.series;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPageTest {
    @Test
    void namesWhereTheFiguresAreFrom() {
        assertThat(html(ResultsFixture.whole()))
                .contains("AMD EPYC (virtual machine), 2 CPUs")
                .contains("Linux 6.18.44-fc-v669")
                .contains("HZ=250")
                .contains("<code>./threadclock bench --full --jdks=17,25,26</code>")
                .contains("20 min 34 s")
                .contains("0.1.0-SNAPSHOT");
    }

    @Test
    void loadsNothingFromElsewhere() {
        String html = html(ResultsFixture.whole());
        assertThat(html).doesNotContain("<link").doesNotContain(" src=").doesNotContain("@import");
        assertThat(html).contains("default-src &#39;none&#39;");
    }

    @Test
    void keepsTheLicenceOfWhatItContains() {
        assertThat(html(ResultsFixture.whole())).contains("Copyright (c) 2022 Leon Sorokin");
    }

    @Test
    void beginsWithTheRatioThatAUserDecidesBy() {
        Results results = ResultsFixture.with(
                series("loop", "stock", 9_000, 12_000, 10_000), series("loop", "threadclock", 10, 10, 10));
        assertThat(headline(results)).contains("<h2>JDK 17.0.15</h2>", ">1,000×<", "10.0 µs → 10.0 ns");
    }

    @Test
    void takesTheRatioFromJmhWhereThereWasNoLoop() {
        Results results = ResultsFixture.with(
                series("jmh.average", "stock user time", 900), series("jmh.average", "threadclock user time", 10));
        assertThat(headline(results)).contains(">90×<");
    }

    @Test
    void saysWhatAttributionCostsAnEngine() {
        Results results = ResultsFixture.with(
                units(series("engine.throughput", "off", 1_000, 1_000)),
                units(series("engine.throughput", "stock", 800, 800)),
                units(series("engine.throughput", "threadclock", 998, 996)));
        assertThat(headline(results)).contains(">0.30 %<").contains("0.20 to 0.40 %; with stock user time 20.0 %");
    }

    @Test
    void takesThatCostAsTheRunGivesIt() {
        Results results = ResultsFixture.with(
                units(series("engine.cost", "stock", 12, 11)), units(series("engine.cost", "threadclock", 0.5, -0.1)));
        assertThat(headline(results)).contains(">0.20 %<").contains("−0.10 to 0.50 %; with stock user time 11.5 %");
    }

    @Test
    void isNotMovedByAFewWildBlocks() {
        Results results = ResultsFixture.with(
                units(series("engine.cost", "stock", 12)),
                units(series("engine.cost", "threadclock", 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 9)));
        assertThat(headline(results)).contains(">0.20 %<").doesNotContain("9.0");
    }

    @Test
    void saysLoudlyWhatAllocates() {
        Results results = ResultsFixture.with(
                series("jmh.allocation", "stock user time", 0), series("jmh.allocation", "library JNI user time", 24));
        assertThat(headline(results)).contains("verdict bad", "up to 24.0 B", "library JNI user time, user time");
    }

    @Test
    void takesAllocationOfAThousandthByteForNone() {
        assertThat(headline(ResultsFixture.with(series("jmh.allocation", "stock user time", 0.001))))
                .contains(">0 B<")
                .contains("on each of 1 path<");
    }

    @Test
    void hasASectionForEachBenchmarkThatThereIsAndForNoOther() {
        String html = html(ResultsFixture.with(series("loop", "stock", 1, 2)));
        assertThat(html).contains("id=\"b-loop\"").doesNotContain("id=\"b-array\"").doesNotContain("id=\"flames\"");
    }

    @Test
    void showsABenchmarkThatItDoesNotKnow() {
        assertThat(html(ResultsFixture.with(series("weather", "sun", 3, 4, 5))))
                .contains("<h2>weather</h2>")
                .contains("<th scope=\"row\">sun</th>")
                .contains("<td class=\"amount\">4.0</td>\n<td class=\"range\">3.0–5.0</td>");
    }

    @Test
    void leavesOutWhatHasNoFiniteNumberAndSaysSo() {
        Results results = ResultsFixture.with(
                series("loop", "stock"), series("loop", "source=perf", Double.NaN), series("loop", "threadclock", 7));
        assertThat(html(results))
                .contains("2 figures without a finite number are left out.")
                .doesNotContain("source=perf");
    }

    @Test
    void showsADistributionOfOnePercentile() {
        Subject subject = new Subject("latency", "17.0.15", "stock", "user time", 16.0);
        Distribution one = new Distribution(subject, "ns", 1, Double.NaN, new TreeMap<>(Map.of(42.0, 1_500.0)));
        assertThat(html(ResultsFixture.with(one))).contains(">p42<").contains(">1.50 µs<").doesNotContain("data-chart");
    }

    @Test
    void showsARunOfWhichNothingIsKnown() {
        Origin unknown = new Origin(null, null, null, 0, null, false, 1, null, null, null, List.of());
        Results results = new Results(Results.FORMAT, unknown, List.of(), List.of(), List.of(), List.of());
        assertThat(html(results)).contains("<dd>not recorded</dd>").contains("date not recorded");
    }

    @Test
    void leadsToEachSection() {
        String html = new ReportPage(ResultsFixture.whole(), Optional.of(ResultsFixture.older())).toHtml();
        Matcher links = Pattern.compile("href=\"#([^\"]+)\"").matcher(html);
        assertThat(links.results().map(link -> link.group(1)))
                .hasSizeGreaterThan(18)
                .allMatch(target -> html.contains(" id=\"" + target + "\""));
    }

    @Test
    void linksFlameGraphsBesideIt() {
        assertThat(html(ResultsFixture.whole()))
                .contains("href=\"./flame-stock.html\">Before: stock user time, flame</a>\n: 93.0 % of the samples");
    }

    @Test
    void isWrittenAsIndexHtml(@TempDir Path directory) throws Exception {
        ReportPage page = new ReportPage(ResultsFixture.empty(), Optional.empty());
        Path written = page.write(directory.resolve("report"));
        assertThat(written).isEqualTo(directory.resolve("report/index.html"));
        assertThat(written).content(UTF_8).isEqualTo(page.toHtml());
    }

    private static String html(Results results) {
        return new ReportPage(results, Optional.empty()).toHtml();
    }

    private static Series units(Series series) {
        Subject subject = series.subject();
        Subject ofUnits = new Subject(subject.benchmark(), subject.jdk(), subject.contender(), "units of work", 2.0);
        return new Series(ofUnits, series.unit(), series.rounds());
    }

    private static String headline(Results results) {
        String html = html(results);
        return html.substring(html.indexOf("<section class=\"headline\""), html.indexOf("<nav"));
    }
}
