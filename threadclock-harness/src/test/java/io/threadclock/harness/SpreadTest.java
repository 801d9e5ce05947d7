// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void isMedianLeastAndGreatest() {
        double[] measured = {3, 1, 2};
        assertThat(Spread.of(measured)).isEqualTo(new Spread(2, 1, 3));
        assertThat(measured).as("what was measured stays in its order").containsExactly(3, 1, 2);
        assertThat(Spread.of(4, 1, 2, 3)).isEqualTo(new Spread(2.5, 1, 4));
        assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
    }

    /** The ratio of the medians would be 20. */
    @Test
    void ofRatiosPairsTheRounds() {
        assertThat(Spread.ofRatios(new double[] {100, 200, 800}, new double[] {10, 80, 20}))
                .isEqualTo(new Spread(10, 2.5, 40));
        assertThatThrownBy(() -> Spread.ofRatios(new double[] {1, 2}, new double[] {1}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 rounds against 1");
    }
}
