// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.report.Comparison.Change;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private final Results older = run(20, 21, 22).results();

    @Test
    void givesOldAndNewAndTheirRatio() {
        Results newer = run(10, 10.5, 11).results();
        assertThat(text(newer))
                .contains("Better: 1\n")
                .containsPattern("snapshot, JDK 17, library, snapshot, 5,000 +"
                        + "21.0 \\(20.0–22.0\\) +10.5 \\(10.0–11.0\\) +ms +0.500×");
        assertThat(html(newer)).contains("<figcaption>Better: 1</figcaption>", ">0.500×<");
    }

    @Test
    void putsWhatGotWorseFirst() {
        Results newer = run(10, 11).loop("17", "stock", 90, 100, 110).results();
        Results before = run(20, 21).loop("17", "stock", 9, 10, 11).results();
        String text = new Comparison(before, newer).toText();
        assertThat(text.indexOf("Worse: 2\n")).isPositive().isLessThan(text.indexOf("Better: 1\n"));
    }

    @Test
    void showsNoNoiseAsChange() {
        assertThat(html(run(15, 16, 20).results()))
                .contains("No figure has changed by more than its rounds differ.")
                .contains("spreads overlap: 1</summary>")
                .doesNotContain("<figcaption>Better");
    }

    @Test
    void givesNoRatioOfWhatIsBelowNothing() {
        assertThat(text(run(-1, -2).results())).doesNotContain("-0.0");
    }

    @Test
    void countsWhatOnlyOneOfThemHas() {
        Results newer =
                new MadeUpRun("17").figure("weather", "17", "sun", "", null, 1).results();
        assertThat(text(newer)).contains("Only in the older run: 1 figures; only in this one: 1.");
    }

    @Test
    void warnsWhereTheMachinesDiffer() {
        Origin other = new Origin("1", "x", "2026-01-01", 1, "Xeon", true, 2, "6.1", 250L, "0", List.of());
        Results elsewhere = new Results(other, List.of(), List.of());
        assertThat(List.of(text(elsewhere), html(elsewhere))).allSatisfy(said -> assertThat(said)
                .contains("Not the same CPU: CPU → Xeon.", "Not the same kernel: 6.18 → 6.1.")
                .doesNotContain("Not the same HZ"));
    }

    private static MadeUpRun run(double... ms) {
        return new MadeUpRun("17").figure(Benchmarks.SNAPSHOT, "17", "library", "snapshot", 5000.0, ms);
    }

    private String text(Results newer) {
        return new Comparison(older, newer).toText();
    }

    private String html(Results newer) {
        Page page = new Page("", newer.origin());
        new Comparison(older, newer).write(page);
        return page.end();
    }

    @Test
    void callsAFigureBetterIfEachRoundTakesLess() {
        assertThat(change("ns", series(10, 12), series(8, 9)).verdict()).isEqualTo(Change.Verdict.BETTER);
        assertThat(change("ns", series(8, 9), series(10, 12)).verdict()).isEqualTo(Change.Verdict.WORSE);
    }

    @Test
    void callsAFigureBetterIfEachRoundDoesMore() {
        assertThat(change("1/s", series(8, 9), series(10, 12)).verdict()).isEqualTo(Change.Verdict.BETTER);
    }

    @Test
    void callsItNoiseWhereSpreadsOverlap() {
        assertThat(change("ns", series(10, 12), series(8, 10)).verdict()).isEqualTo(Change.Verdict.NOISE);
    }

    @Test
    void knowsNothingFromOneRound() {
        assertThat(change("ns", series(10), series(8, 9)).verdict()).isEqualTo(Change.Verdict.UNKNOWN);
    }

    @Test
    void givesTheRatioOfTheMedians() {
        assertThat(change("ns", series(10, 10), series(5, 5)).ratio()).isEqualTo(0.5);
        assertThat(change("B", series(0, 0), series(0, 0)).ratio()).isEqualTo(1);
    }

    @Test
    void comparesOnlyFiguresThatBothRunsHaveInTheSameUnit() {
        Results older = runOf(figure("a", "ns"), figure("b", "ns"), figure("c", "ns"));
        Results newer = runOf(figure("c", "µs"), figure("b", "ns"), figure("d", "ns"));
        assertThat(Change.between(older, newer))
                .extracting(change -> change.subject().benchmark())
                .containsExactly("b");
    }

    private static Change change(String unit, List<Double> older, List<Double> newer) {
        return Change.between(figure("loop", unit, older), figure("loop", unit, newer));
    }

    private static List<Double> series(double... rounds) {
        return Arrays.stream(rounds).boxed().toList();
    }

    private static Measurement figure(String benchmark, String unit) {
        return figure(benchmark, unit, List.of(1.0));
    }

    private static Measurement figure(String benchmark, String unit, List<Double> rounds) {
        return Measurement.of(new Subject(benchmark, "17", "stock", "user time", null), unit, rounds);
    }

    private static Results runOf(Measurement... series) {
        Origin origin = new Origin("", "", "", 0, "", false, 1, "", null, "", List.of());
        return new Results(origin, List.of(series), List.of());
    }
}
