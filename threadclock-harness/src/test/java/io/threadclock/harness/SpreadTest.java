// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void isMedianLeastAndGreatest() {
        assertThat(Spread.of(3, 1, 2)).isEqualTo(new Spread(2, 1, 3));
    }

    @Test
    void takesTheMiddleOfTwoMiddles() {
        assertThat(Spread.of(4, 1, 2, 3)).isEqualTo(new Spread(2.5, 1, 4));
    }

    @Test
    void leavesWhatWasMeasuredInItsOrder() {
        double[] measured = {3, 1, 2};
        Spread.of(measured);
        assertThat(measured).containsExactly(3, 1, 2);
    }

    @Test
    void ofRatiosPairsTheRounds() {
        double[] slow = {100, 300, 200};
        double[] fast = {10, 20, 40};
        assertThat(Spread.ofRatios(slow, fast)).isEqualTo(new Spread(10, 5, 15));
    }

    @Test
    void ofRatiosIsNotTheRatioOfTheMedians() {
        double[] slow = {100, 200, 800};
        double[] fast = {10, 80, 20};
        assertThat(Spread.ofRatios(slow, fast).median()).isEqualTo(10);
    }

    @Test
    void refusesRoundsThatHaveNoPartner() {
        assertThatThrownBy(() -> Spread.ofRatios(new double[] {1, 2}, new double[] {1}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 rounds against 1");
    }

    @Test
    void refusesToSpeakOfNothing() {
        assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
    }
}
