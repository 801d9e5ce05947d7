// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PhaseResultTest {
    private final PhaseResult result = new PhaseResult(
            100, 3, 2_000, 50, 70, 60, 40, 10, new LawBreaches(100, 1, 2, 4), histogram(20, 30), histogram(9_000));

    @Test
    void survivesTheWayToTheDriver() {
        PhaseResult arrived =
                PhaseResult.of(Message.parse(result.toMessage().toString()).orElseThrow());
        assertThat(arrived).isEqualTo(result);
    }

    @Test
    void addsTheWorkOfWorkersThatRanBesideOneAnotherInTheSameTime() {
        PhaseResult both = result.beside(result);
        assertThat(both.units()).isEqualTo(200);
        assertThat(both.wallNs()).isEqualTo(2_000);
        assertThat(both.cpuNs()).isEqualTo(140);
        assertThat(both.breaches()).isEqualTo(new LawBreaches(200, 2, 4, 8));
        assertThat(both.userCallNs().getTotalCount()).isEqualTo(4);
    }

    @Test
    void addsTheTimesOfPhasesThatRanOneAfterAnother() {
        PhaseResult both = result.then(result);
        assertThat(both.wallNs()).isEqualTo(4_000);
        assertThat(both.unitsPerSecond()).isEqualTo(result.unitsPerSecond());
    }

    @Test
    void staysAsItWasWhenAnEmptyPhaseIsAdded() {
        assertThat(PhaseResult.empty().then(result)).isEqualTo(result);
    }

    private static Histogram histogram(long... ns) {
        Histogram histogram = PhaseResult.newHistogram();
        for (long one : ns) {
            histogram.recordValue(one);
        }
        return histogram;
    }
}
