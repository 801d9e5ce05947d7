// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.report.Comparison.Change;
import io.threadclock.lab.report.Comparison.Change.Verdict;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code bench --compare} says. */
class ComparisonTest {
    private static final String SNAPSHOT = "snapshot/17/library/snapshot@5000=";
    private static final Results OLDER = new MadeUpRun()
            .add(SNAPSHOT + "20 21 22; loop/17/stock/user time=9 10 11")
            .results();

    @ParameterizedTest
    @CsvSource({
        "ns, 10 12, 8 9, BETTER",
        "ns, 8 9, 10 12, WORSE",
        "1/s, 8 9, 10 12, BETTER",
        "ns, 10 12, 8 10, NOISE",
        "ns, 10, 8 9, UNKNOWN"
    })
    void aFigureIsBetterOrWorseIfTheSpreadsDoNotOverlap(String unit, String older, String newer, Verdict verdict) {
        assertThat(Change.between(figure(unit, older), figure(unit, newer)).verdict())
                .isEqualTo(verdict);
    }

    @Test
    void givesOldAndNewAndTheirRatioAndPutsWhatGotWorseFirst() {
        Results newer = new MadeUpRun()
                .add(SNAPSHOT + "10 10.5 11; loop/17/stock/user time=90 100 110; weather/17/sun/x=1")
                .results();
        String text = new Comparison(OLDER, newer).toText();
        assertThat(text)
                .containsPattern("snapshot, JDK 17, library, snapshot, 5,000 +"
                        + "21.0 \\(20.0–22.0\\) +10.5 \\(10.0–11.0\\) +ns +0.500×")
                .contains("Only in the older run: 0 figures; only in this one: 1.");
        assertThat(text.indexOf("Worse: 1\n")).isPositive().isLessThan(text.indexOf("Better: 1\n"));
    }

    @Test
    void warnsIfTheMachinesDiffer() {
        Origin other = new Origin("1", "x", "2026-01-01", 1, "Xeon", true, 2, "6.1", 250L, "0", List.of());
        assertThat(new Comparison(OLDER, new Results(other, List.of(), List.of())).toText())
                .contains("Not the same CPU: CPU → Xeon.", "Not the same kernel: 6.18 → 6.1.")
                .doesNotContain("Not the same HZ");
    }

    private static Measurement figure(String unit, String rounds) {
        List<Double> each =
                Arrays.stream(rounds.split(" ")).map(Double::valueOf).toList();
        return Measurement.of(new Subject("loop", "17", "stock", "user time", null), unit, each);
    }
}
