// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

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
    void refusesToSpeakOfNothing() {
        assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
    }
}
