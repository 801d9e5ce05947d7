// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Measurement.Subject;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeTest {
    @Test
    void isForTheBetterIfEachRoundTakesLess() {
        assertThat(change("ns", series(10, 12), series(8, 9)).verdict()).isEqualTo(Change.Verdict.BETTER);
        assertThat(change("ns", series(8, 9), series(10, 12)).verdict()).isEqualTo(Change.Verdict.WORSE);
    }

    @Test
    void isForTheBetterIfEachRoundDoesMore() {
        assertThat(change("1/s", series(8, 9), series(10, 12)).verdict()).isEqualTo(Change.Verdict.BETTER);
    }

    @Test
    void isNoneWhereSpreadsOverlap() {
        assertThat(change("ns", series(10, 12), series(8, 10)).verdict()).isEqualTo(Change.Verdict.NOISE);
    }

    @Test
    void isUnknownOfOneRound() {
        assertThat(change("ns", series(10), series(8, 9)).verdict()).isEqualTo(Change.Verdict.UNKNOWN);
    }

    @Test
    void isTheRatioOfTheMedians() {
        assertThat(change("ns", series(10, 10), series(5, 5)).ratio()).isEqualTo(0.5);
        assertThat(change("B", series(0, 0), series(0, 0)).ratio()).isEqualTo(1);
    }

    @Test
    void isOfFiguresThatBothRunsHaveInTheSameUnit() {
        Results older = run(figure("a", "ns"), figure("b", "ns"), figure("c", "ns"));
        Results newer = run(figure("c", "µs"), figure("b", "ns"), figure("d", "ns"));
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

    private static Results run(Measurement... series) {
        Origin origin = new Origin("", "", "", 0, "", false, 1, "", null, "", List.of());
        return new Results(origin, List.of(series), List.of());
    }
}
