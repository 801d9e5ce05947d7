// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.demo.message.PhaseResult;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class CallCostTest {
    @Test
    void isTheMedianLessTheMedianOfTheTimer() {
        assertThat(new CallCost(histogram(100, 120, 140), histogram(20, 20, 20)).medianLessTimerNs())
                .isEqualTo(100);
    }

    @Test
    void doesNotCountTheTimeSliceOfAnotherThread() {
        CallCost undisturbed = new CallCost(histogram(120, 120, 120), histogram(20));
        CallCost preempted = new CallCost(histogram(120, 120, 3_000_000), histogram(20));
        assertThat(preempted.totalNs()).isEqualTo(undisturbed.totalNs()).isEqualTo(300);
    }

    @Test
    void isNeverNegative() {
        assertThat(new CallCost(histogram(19), histogram(20)).totalNs()).isZero();
    }

    private static Histogram histogram(long... ns) {
        Histogram histogram = PhaseResult.newHistogram();
        for (long one : ns) {
            histogram.recordValue(one);
        }
        return histogram;
    }
}
