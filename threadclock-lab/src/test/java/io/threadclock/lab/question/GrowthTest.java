// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GrowthTest {
    @Test
    void isWhatTheEndOfTheSecondHalfIsAboveItsBeginning() {
        assertThat(Growth.of(List.of(0L, 0L, 0L, 0L, 0L, 0L, 10L, 11L, 50L, 50L, 14L, 15L)))
                .isEqualTo(3);
    }

    @Test
    void isFoundInWhatLeaksSlowly() {
        assertThat(Growth.of(
                        LongStream.range(0, 100).map(look -> look / 10).boxed().toList()))
                .isPositive();
    }

    @Test
    void isNoneInTheFirstHalf() {
        assertThat(Growth.of(List.of(0L, 100L, 200L, 300L, 400L, 500L, 500L, 500L, 500L, 500L, 500L, 500L)))
                .isZero();
    }

    @Test
    void isNoneInWhatGoesUpAndDown() {
        assertThat(Growth.of(List.of(1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L)))
                .isZero();
    }

    @Test
    void isNotToldByTooFewLooks() {
        assertThat(Growth.of(LongStream.range(1, Growth.FEWEST).boxed().toList()))
                .isZero();
    }
}
