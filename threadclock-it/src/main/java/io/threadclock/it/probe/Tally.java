// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

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

    void print(String name) {
        Fact.print(name + ".comparisons", comparisons.sum());
        Fact.print(name + ".breaches", breaches.sum());
        Fact.print(name + ".worstNs", worstNs.get());
    }
}
