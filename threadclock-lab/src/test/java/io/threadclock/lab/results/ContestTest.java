// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Measurement.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContestTest {
    private final ResultsDraft draft = new ResultsDraft();

    @Test
    void gainsOverStockRoundByRound() {
        add(Contest.STOCK, 400, 800, 300);
        add(Contest.ATTACHED, 10, 40, 10);
        assertThat(contest().gain(Contest.ATTACHED)).isEqualTo(new Spread(30, 20, 40));
    }

    @Test
    void takesSoManyTimesWhatStockTakesRoundByRound() {
        add(Contest.STOCK, 100, 200, 400);
        add(Contest.AGENTPATH, 102, 210, 600);
        assertThat(contest().timesStock(Contest.AGENTPATH)).isEqualTo(new Spread(1.05, 1.02, 1.5));
    }

    @Test
    void comparesMediansOfThoseThatWereNotMeasuredInTurn() {
        add(Contest.STOCK, 100, 200, 300);
        add(Contest.AGENTPATH, 50);
        assertThat(contest().gain(Contest.AGENTPATH)).isEqualTo(new Spread(4, 4, 4));
    }

    @Test
    void hasOnlyTheContendersThatWereNotRefused() {
        add(Contest.STOCK, 100);
        assertThat(contest().has(Contest.STOCK)).isTrue();
        assertThat(contest().has("source=perf")).isFalse();
        assertThatThrownBy(() -> contest().of("source=perf")).hasMessageContaining("not measured: Subject[");
    }

    private void add(String contender, double... rounds) {
        for (double ns : rounds) {
            draft.add(new Subject("loop", "17", contender, "user time", null), "ns", ns);
        }
    }

    private Contest contest() {
        Results results = draft.finish(new Origin("", "", "", 0, "", false, 1, "", null, "", List.of()));
        return new Contest(results, "loop", "17", "user time");
    }
}
