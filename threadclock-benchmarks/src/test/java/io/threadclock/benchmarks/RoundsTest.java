// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Spread;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private final Rounds<String> rounds = new Rounds<>();

    @Test
    void areMedianLeastAndMost() {
        add(Loading.STOCK, 400, 300, 900);
        assertThat(rounds.ns("read", Loading.STOCK)).isEqualTo(new Spread(400, 300, 900));
        assertThat(rounds.count("read")).isEqualTo(3);
    }

    @Test
    void gainOverStockRoundByRound() {
        add(Loading.STOCK, 400, 800, 300);
        add(Loading.ATTACHED, 10, 40, 10);
        assertThat(rounds.gain("read", Loading.ATTACHED)).isEqualTo(new Spread(30, 20, 40));
    }

    @Test
    void takeSoManyTimesWhatStockTakesRoundByRound() {
        add(Loading.STOCK, 100, 200, 400);
        add(Loading.AGENTPATH, 102, 210, 600);
        assertThat(rounds.timesStock("read", Loading.AGENTPATH)).isEqualTo(new Spread(1.05, 1.02, 1.5));
    }

    @Test
    void keepTheOrderInWhichThingsWereMeasured() {
        rounds.add("second letter", Loading.STOCK, 1);
        rounds.add("first letter", Loading.STOCK, 1);
        assertThat(rounds.measured()).containsExactly("second letter", "first letter");
    }

    private void add(Loading loading, double... ns) {
        for (double round : ns) {
            rounds.add("read", loading, round);
        }
    }
}
