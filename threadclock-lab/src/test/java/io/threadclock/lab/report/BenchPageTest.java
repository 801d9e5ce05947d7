// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Results.FlameGraph;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchPageTest {
    private static final Results WHOLE = MadeUpRun.ofEverything("17.0.15").results();

    private final MadeUpRun run = new MadeUpRun("17.0.15");

    @Test
    void namesWhereTheFiguresAreFrom() {
        assertThat(html(WHOLE))
                .contains("CPU (virtual machine), 2 CPUs", "Linux 6.18", "HZ=250", "<code>./threadclock bench</code>")
                .contains("1 min 30 s");
    }

    @Test
    void loadsNothingFromElsewhere() {
        assertThat(html(WHOLE)).doesNotContain("<link").doesNotContain(" src=").doesNotContain("@import");
        assertThat(html(WHOLE)).contains("default-src &#39;none&#39;");
    }

    @Test
    void keepsTheLicenceOfWhatItContains() {
        assertThat(html(WHOLE)).contains("Copyright (c) 2022 Leon Sorokin");
    }

    @Test
    void hasTheTablesOfTheDocument() {
        assertThat(html(WHOLE)).contains("<td class=\"amount\">750×<span class=\"range\"> (750×–750×)</span>");
    }

    @Test
    void beginsWithTheRatioThatAUserDecidesBy() {
        run.loop("17.0.15", Contest.STOCK, 9_000, 12_000, 10_000).loop("17.0.15", Contest.THREADCLOCK, 10, 10, 10);
        assertThat(headline()).contains("<h2>JDK 17.0.15</h2>", ">1,000×<", "10.0 µs → 10.0 ns; ratio 900×–1,200×");
    }

    @Test
    void saysWhatAttributionCostsAnEngine() {
        engine(Contest.STOCK, 12, 11);
        engine(Contest.THREADCLOCK, 0.5, -0.1);
        assertThat(headline()).contains(">0.20 %<").contains("-0.10 %–0.50 %; with stock user time 12 %");
    }

    @Test
    void isNotMovedByAFewWildBlocks() {
        engine(Contest.THREADCLOCK, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 9);
        assertThat(headline()).contains(">0.20 %<").doesNotContain("9.0").contains("stock user time not measured");
    }

    @Test
    void saysLoudlyWhatAllocates() {
        run.figure(Benchmarks.JMH_ALLOCATION, "17.0.15", "stock user time", "user time", null, 0)
                .figure(Benchmarks.JMH_ALLOCATION, "17.0.15", "library JNI user time", "user time", null, 24);
        assertThat(headline()).contains("verdict bad", "up to 24.0 B", "library JNI user time, user time");
    }

    @Test
    void takesAllocationOfAThousandthByteForNone() {
        run.figure(Benchmarks.JMH_ALLOCATION, "17.0.15", "stock user time", "user time", null, 0.001);
        assertThat(headline()).contains(">0 B<").contains("on each of 1 path<");
    }

    @Test
    void hasASectionForEachBenchmarkThatThereIsAndForNoOther() {
        run.loop("17.0.15", Contest.STOCK, 1, 2);
        assertThat(html(run.results()))
                .contains("id=\"b-loop\"")
                .doesNotContain("id=\"b-array\"")
                .doesNotContain("id=\"flames\"");
    }

    @Test
    void leavesOutWhatHasNoFiniteNumberAndSaysSo() {
        run.loop("17.0.15", "source=perf", Double.POSITIVE_INFINITY).loop("17.0.15", Contest.THREADCLOCK, 7);
        assertThat(html(run.results()))
                .contains("2 figures without a finite number are left out.")
                .doesNotContain("source=perf");
    }

    @Test
    void leadsToEachSection() {
        String html = new BenchPage(WHOLE, Optional.of(WHOLE)).toHtml();
        Matcher links = Pattern.compile("href=\"#([^\"]+)\"").matcher(html);
        assertThat(links.results().map(link -> link.group(1)))
                .hasSizeGreaterThan(15)
                .doesNotHaveDuplicates()
                .allMatch(target -> html.contains(" id=\"" + target + "\""));
    }

    @Test
    void linksFlameGraphsBesideIt() {
        List<FlameGraph> flames = List.of(new FlameGraph("flame-stock.html", "Before: stock user time", 0.93));
        Results results = new Results(Results.FORMAT, WHOLE.origin(), List.of(), flames, List.of());
        assertThat(html(results))
                .contains("href=\"./flame-stock.html\">Before: stock user time</a>\n: 93 % of the samples");
    }

    @Test
    void isWrittenAsIndexHtml(@TempDir Path directory) {
        BenchPage page = new BenchPage(WHOLE, Optional.empty());
        Path written = page.write(directory.resolve("report"));
        assertThat(written).isEqualTo(directory.resolve("report/index.html"));
        assertThat(written).content(UTF_8).isEqualTo(page.toHtml());
    }

    private void engine(String contender, double... percents) {
        run.figure(Benchmarks.ENGINE_THROUGHPUT, "17.0.15", contender, "units of work", 1.0, 10_000)
                .figure(Benchmarks.ENGINE_COST, "17.0.15", contender, "units of work", 1.0, percents);
    }

    private static String html(Results results) {
        return new BenchPage(results, Optional.empty()).toHtml();
    }

    private String headline() {
        String html = html(run.results());
        return html.substring(html.indexOf("<section class=\"headline\""), html.indexOf("<nav"));
    }
}
