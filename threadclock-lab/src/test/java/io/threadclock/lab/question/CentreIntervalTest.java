// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class CentreIntervalTest {
    @Test
    void isThatOfTheTables() {
        // Wilcoxon's table, n = 10: two-sided 5 % at rank sums of 8 and below, so 8 of the 55 means are outside.
        List<Double> figures = List.of(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0);
        CentreInterval interval = CentreInterval.of(figures);
        assertThat(interval).isEqualTo(new CentreInterval(64, 6, 257));
    }

    @Test
    void holdsTheCentreNineteenTimesInTwenty() {
        Random random = new Random(2);
        int held = 0;
        for (int run = 0; run < 1000; run++) {
            List<Double> figures = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                figures.add(0.2 + random.nextGaussian());
            }
            CentreInterval interval = CentreInterval.of(figures);
            held += interval.low() <= 0.2 && 0.2 <= interval.high() ? 1 : 0;
        }
        assertThat(held).as("of 1000 intervals").isBetween(930, 970);
    }

    @Test
    void isHardlyMovedByAFewWildFigures() {
        List<Double> figures = new ArrayList<>(Collections.nCopies(40, 0.2));
        figures.addAll(List.of(1e6, 1e6, 1e6));
        CentreInterval interval = CentreInterval.of(figures);
        assertThat(interval.centre()).isCloseTo(0.2, Offset.offset(1e-9));
        assertThat(interval.high()).isCloseTo(0.2, Offset.offset(1e-9));
    }

    @Test
    void ofOneFigureIsThatFigure() {
        assertThat(CentreInterval.of(List.of(3.0))).isEqualTo(new CentreInterval(3, 3, 3));
        assertThatThrownBy(() -> CentreInterval.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isWrittenWithItsBounds() {
        assertThat(new CentreInterval(0.214, -0.06, 0.471)).hasToString("0.21 (-0.06…0.47)");
    }
}
