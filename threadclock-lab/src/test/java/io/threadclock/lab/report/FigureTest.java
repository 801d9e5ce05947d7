// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Spread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTest {
    @Test
    void writesATenthOfANanosecondOnlyWhereThatMatters() {
        assertThat(Figure.ns(31.44)).isEqualTo("31.4");
        assertThat(Figure.ns(8712.4)).isEqualTo("8,712");
    }

    @Test
    void writesARatioNearOneFinely() {
        assertThat(Figure.ratio(0.0844)).isEqualTo("0.084×");
        assertThat(Figure.ratio(1.194)).isEqualTo("1.19×");
        assertThat(Figure.ratio(4.25)).isEqualTo("4.3×");
        assertThat(Figure.ratio(1283.4)).isEqualTo("1,283×");
    }

    @Test
    void writesASpreadAsMedianAndBounds() {
        assertThat(Figure.spread(Spread.of(30, 32, 31), Figure::ns)).isEqualTo("31.0 (30.0–32.0)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0.04121 | 0.0412", "3.14159 | 3.14", "15362.4 | 15,362", "0 | 0", "1e-9 | 0"})
    void hasThreeDigitsWhateverItsSize(double amount, String written) {
        assertThat(Figure.plain(amount)).isEqualTo(written);
    }

    @Test
    void isAShareInPercent() {
        assertThat(Figure.percent(0.00312)).isEqualTo("0.31 %");
        assertThat(Figure.percent(-0.082)).isEqualTo("-8.2 %");
        assertThat(Figure.percent(0.45)).isEqualTo("45 %");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 | 0 %", "3 | < 0.1 %", "99700 | 99.7 %", "99999 | > 99.9 %", "100000 | 100 %"})
    void neverHidesAFewAmongMany(long part, String written) {
        assertThat(Figure.percentOf(part, 100_000)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.6 | ns | 1.6 ns",
                "99.96 | ns | 100 ns",
                "334 | ns | 334 ns",
                "10246 | ns | 10.2 µs",
                "28049407 | ns | 28.0 ms",
                "0.0045 | ms | 4.50 µs",
                "120000 | ms | 120 s",
                "0 | ns | 0.0 ns",
                "24576 | B | 24,576 B",
                "61034 | 1/s | 61,034 1/s"
            })
    void writesATimeInTheUnitThatSuitsIt(double amount, String unit, String written) {
        assertThat(Figure.withUnit(amount, unit)).isEqualTo(written);
    }
}
