// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.report.Errors.ErrorWindow;
import io.threadclock.lab.results.Results;
import org.junit.jupiter.api.Test;

class AccuracyReportTest {
    private static final Results RESULTS =
            MadeUpLaboratory.ofTwoReaders().note("perf refused").results();
    private static final Results IN_TURN = MadeUpLaboratory.ofTwoReaders()
            .add("requests-pure", "period", "smoothed", "more", "median", 0.04)
            .add("requests-pure", "period", "smoothed", "more", "spread", 0.2)
            .user("requests-pure", "period", "sampled:500us", 4.4, 12)
            .add("requests-pure", "period", "sampled:500us", "more", "median", 3.1)
            .add("requests-pure", "period", "sampled:500us", "more", "spread", 0.4)
            .add("spin", "period", "sampled:500us", "more", "median", -0.2)
            .add("spin", "period", "sampled:500us", "more", "spread", 0.1)
            .results();

    @Test
    void hasTheMeanAndThe95thPercentileOfEachReaderBesideTheTruth() {
        Table user = errors(ErrorWindow.TEN_MILLISECONDS, Errors.USER);
        assertThat(user.toMarkdown())
                .contains("| workload | truth: user | ticks | smoothed |", "| spin | 99.9 % | 20 (40) | 0.25 (1.5) |");
        assertThat(user.rows()).hasSize(1);
    }

    @Test
    void leavesOutReadersThatSayNothingOfTheQuantity() {
        assertThat(errors(ErrorWindow.TEN_MILLISECONDS, Errors.CPU).toMarkdown())
                .contains("| workload | smoothed |", "| spin | 140 (2,100) |");
    }

    @Test
    void leavesOutWhatWasNotMeasured() {
        assertThat(errors(ErrorWindow.THREAD, Errors.USER).rows()).isEmpty();
        assertThat(errors(ErrorWindow.REQUEST, Errors.CPU).rows()).isEmpty();
        assertThat(new ErrorChart(RESULTS, ErrorWindow.THREAD).isEmpty()).isTrue();
        assertThat(new AccuracyReport(RESULTS).toMarkdown()).doesNotContain("of each period", "per thread");
    }

    @Test
    void hasTheErrorAndThePriceOfEachPeriod() {
        assertThat(new AccuracyReport(IN_TURN).toMarkdown())
                .contains("**Cost and error of each period: ", "| split | requests-pure | spin |", "- Each cell has ")
                .contains("| sampled:500us | 4.4 (2.2), +3.1 ± 0.4 % | –, -0.2 ± 0.1 % |");
    }

    @Test
    void takesTheErrorOfASplitWithoutAPeriodFromTheSameWindowsElsewhere() {
        assertThat(new AccuracyReport(IN_TURN).toMarkdown())
                .contains("| smoothed | 48 (24), +0.0 ± 0.2 % | 0.25 (0.13) |");
    }

    @Test
    void hasTheChartsThatItsDocumentShows() {
        assertThat(new AccuracyReport(RESULTS).toMarkdown())
                .contains("](accuracy-10ms.svg)", "](accuracy-request.svg)", "- perf refused");
        assertThat(new AccuracyReport(RESULTS).toHtml())
                .contains("data:image/svg+xml;base64,", "<li>perf refused</li>");
    }

    @Test
    void drawsADotForEachReaderInEachWorkload() {
        assertThat(new ErrorChart(RESULTS, ErrorWindow.REQUEST).toSvg())
                .contains("<title>ticks, requests-pure: 49</title>", "<title>smoothed, requests-pure: 48</title>")
                .doesNotContain("spin");
    }

    @Test
    void placesTheSmallerErrorFurtherLeft() {
        String svg = new ErrorChart(RESULTS, ErrorWindow.TEN_MILLISECONDS).toSvg();
        assertThat(place(svg, "smoothed, spin")).isLessThan(place(svg, "ticks, spin"));
    }

    @Test
    void keepsWhatIsBeyondTheAxisAtItsEdge() {
        Results extremes = new MadeUpLaboratory()
                .user("spin", "1s", "ticks", 5000, 9000)
                .user("spin", "1s", "kernel", 0, 0)
                .results();
        String svg = new ErrorChart(extremes, ErrorWindow.SECOND).toSvg();
        assertThat(place(svg, "ticks, spin")).isEqualTo(736);
        assertThat(place(svg, "kernel, spin")).isEqualTo(150);
    }

    @Test
    void runQueueDelayHasATableAndAPromiseButNoChart() {
        AccuracyReport report = new AccuracyReport(MadeUpLaboratory.ofTwoReaders()
                .add("waits-quota", "100ms", "waits", "wait", "mean", 0.5)
                .add("waits-quota", "100ms", "waits", "wait", "p95", 3.5)
                .results());
        assertThat(report.toText())
                .contains("Run-queue delay of threads that never sleep, over 100 ms of wall time, % of it")
                .contains("0.50 (3.5)");
        assertThat(report.complaints())
                .anySatisfy(complaint ->
                        assertThat(complaint).startsWith("waits-quota: ").contains("≤ 2.0", "but was 3.5"));
        assertThat(report.charts(ErrorWindow.WALL)).isEmpty();
    }

    private static Table errors(ErrorWindow window, String quantity) {
        return new AccuracyTables(RESULTS).errors(window, quantity);
    }

    private static double place(String svg, String hint) {
        String before = svg.substring(0, svg.indexOf("<title>" + hint));
        return Double.parseDouble(before.replaceAll("(?s).*cx=\"([0-9.]+)\".*", "$1"));
    }
}
