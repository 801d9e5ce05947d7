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
}
