// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.program.Breaches.Breach;
import io.threadclock.lab.program.Breaches.Counts;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BreachesTest {
    private final Breaches breaches = new Breaches();

    @Test
    void areWhatTheChildHasCounted() {
        breaches.reading();
        breaches.reading();
        breaches.switched();
        breaches.add(Breach.EXCEPTION, "worker-0: java.io.IOException: a b");
        breaches.add(Breach.EXCEPTION, "another");
        Counts counts = breaches.counts();
        assertThat(counts.readings()).isEqualTo(2);
        assertThat(counts.switches()).isEqualTo(1);
        assertThat(counts.of(Breach.EXCEPTION)).isEqualTo(2);
        assertThat(counts.ofAllBreaches()).isEqualTo(2);
        assertThat(counts.firsts()).isEqualTo(Map.of(Breach.EXCEPTION, "worker-0: java.io.IOException: a b"));
    }

    @Test
    void ofNothingHaveNoBreach() {
        Counts counts = breaches.counts();
        assertThat(counts).isEqualTo(Counts.none());
        assertThat(counts.ofAllBreaches()).isZero();
    }
}
