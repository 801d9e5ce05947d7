// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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

    @Test
    void hasThreeDigitsWhateverItsSize() {
        assertThat(Figure.plain(0.04121)).isEqualTo("0.0412");
        assertThat(Figure.plain(3.14159)).isEqualTo("3.14");
        assertThat(Figure.plain(15_362.4)).isEqualTo("15,362");
        assertThat(Figure.plain(0)).isEqualTo("0");
        assertThat(Figure.plain(1e-9)).isEqualTo("0");
    }

    @Test
    void isAShareInPercent() {
        assertThat(Figure.percent(0.00312)).isEqualTo("0.31 %");
        assertThat(Figure.percent(-0.082)).isEqualTo("-8.2 %");
        assertThat(Figure.percent(0.45)).isEqualTo("45 %");
    }

    @Test
    void neverRoundsAFewAmongManyToNoneNorNearlyAllToAll() {
        assertThat(Figure.percentOf(0, 100_000)).isEqualTo("0 %");
        assertThat(Figure.percentOf(3, 100_000)).isEqualTo("< 0.1 %");
        assertThat(Figure.percentOf(997, 1000)).isEqualTo("99.7 %");
        assertThat(Figure.percentOf(99_999, 100_000)).isEqualTo("> 99.9 %");
        assertThat(Figure.percentOf(100_000, 100_000)).isEqualTo("100 %");
    }
}
