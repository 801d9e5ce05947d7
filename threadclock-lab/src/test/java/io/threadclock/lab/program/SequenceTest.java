// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.program.Breaches.Breach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SequenceTest {
    private final Breaches breaches = new Breaches();
    private final OwnReader.Sequence sequence = new OwnReader.Sequence(breaches, "made up");

    @BeforeEach
    void readOnce() {
        sequence.next(100, 60, 40);
    }

    @Test
    void acceptsWhatGrows() {
        sequence.next(100, 60, 40);
        sequence.next(200, 120, 80);
        sequence.next(130, 210);
        assertNothingBut();
    }

    @Test
    void countsUserAndSystemTimeThatAreNotCpuTime() {
        sequence.next(200, 120, 81);
        assertNothingBut(Breach.NO_SUM);
    }

    @Test
    void countsCpuTimeThatGoesBack() {
        sequence.next(60, 99);
        assertNothingBut(Breach.BACKWARDS);
    }

    @Test
    void countsUserTimeThatGoesBack() {
        sequence.next(59, 101);
        assertNothingBut(Breach.BACKWARDS);
    }

    @Test
    void countsUserTimeThatGrowsByMoreThanCpuTime() {
        sequence.next(110, 71, 39);
        assertNothingBut(Breach.USER_ABOVE_CPU);
    }

    @Test
    void countsUserTimeAboveCpuTime() {
        sequence.next(111, 110);
        assertNothingBut(Breach.USER_ABOVE_CPU);
    }

    @Test
    void countsALiveThreadThatHasNoTime() {
        sequence.beginAnew();
        sequence.next(-1, 200);
        assertThat(breaches.count(Breach.WRONG_ANSWER)).isOne();
    }

    @Test
    void mayBeginAnewWithLess() {
        sequence.beginAnew();
        sequence.next(10, 20);
        assertNothingBut();
    }

    private void assertNothingBut(Breach... expected) {
        assertThat(breaches.counts().breaches()).containsOnlyKeys(expected);
    }
}
