// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FigureTest {
    @Test
    void writesAMeanWithATenthOnlyWhereThatMatters() {
        assertThat(Figure.ns(31.44)).isEqualTo("31.4");
        assertThat(Figure.ns(8712.4)).isEqualTo("8,712");
    }

    @Test
    void writesRatiosWithTwoDigitsAtLeast() {
        assertThat(Figure.ratio(0.084)).isEqualTo("0.08×");
        assertThat(Figure.ratio(4.25)).isEqualTo("4.3×");
        assertThat(Figure.ratio(283.4)).isEqualTo("283×");
    }

    @Test
    void neverRoundsAFewAmongManyToNone() {
        assertThat(Figure.percentOf(0, 100_000)).isEqualTo("0 %");
        assertThat(Figure.percentOf(3, 100_000)).isEqualTo("< 0.1 %");
        assertThat(Figure.percentOf(997, 1000)).isEqualTo("99.7 %");
    }

    @Test
    void neverRoundsNearlyAllToAll() {
        assertThat(Figure.percentOf(99_999, 100_000)).isEqualTo("> 99.9 %");
        assertThat(Figure.percentOf(100_000, 100_000)).isEqualTo("100 %");
    }
}
