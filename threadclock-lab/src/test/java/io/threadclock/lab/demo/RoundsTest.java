// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.demo.message.LawBreaches;
import io.threadclock.lab.demo.message.PhaseResult;
import org.junit.jupiter.api.Test;

class RoundsTest {
    @Test
    void giveMedianAndSpreadOfUnitsPerSecond() {
        assertThat(rounds(100, 300, 200).unitsPerSecond()).isEqualTo(new Spread(200, 100, 300));
    }

    @Test
    void areComparedRoundByRoundSoThatADriftFallsOut() {
        Rounds baseline = rounds(100, 200, 400);
        assertThat(rounds(90, 180, 360).unitsPerSecondAgainst(baseline)).isEqualTo(new Spread(0.9, 0.9, 0.9));
    }

    @Test
    void addUpToOneLongPhase() {
        PhaseResult total = rounds(100, 300).total();
        assertThat(total.units()).isEqualTo(400);
        assertThat(total.unitsPerSecond()).isEqualTo(200);
    }

    private static Rounds rounds(long... unitsPerSecond) {
        Rounds rounds = new Rounds();
        for (long units : unitsPerSecond) {
            rounds.add(new PhaseResult(
                    units,
                    0,
                    1_000_000_000L,
                    0,
                    0,
                    0,
                    0,
                    0,
                    LawBreaches.NONE,
                    PhaseResult.newHistogram(),
                    PhaseResult.newHistogram()));
        }
        return rounds;
    }
}
