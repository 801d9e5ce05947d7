// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts how often one number had to be at least another, how often it was not, and the worst difference. */
final class Tally {
    private final LongAdder comparisons = new LongAdder();
    private final LongAdder breaches = new LongAdder();
    private final AtomicLong worstNs = new AtomicLong();

    void atLeast(long floorNs, long figureNs) {
        comparisons.increment();
        if (figureNs < floorNs) {
            breaches.increment();
            worstNs.accumulateAndGet(floorNs - figureNs, Math::max);
        }
    }

    long comparisons() {
        return comparisons.sum();
    }

    long breaches() {
        return breaches.sum();
    }

    /** {@code law}: a sentence that is true of all comparisons. */
    void assertNoBreach(String law) {
        assertThat(breaches.sum())
                .as("%s: breaches in %s comparisons, the worst %s ns", law, comparisons, worstNs)
                .isZero();
    }
}
