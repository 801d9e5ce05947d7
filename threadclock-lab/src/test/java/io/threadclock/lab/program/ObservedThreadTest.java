// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.program.Breaches.Breach;
import org.junit.jupiter.api.Test;

class ObservedThreadTest {
    private final Breaches breaches = new Breaches();
    private final ObservedThread target = new ObservedThread(breaches);

    @Test
    void countsAReadingBelowWhatOthersHadReadBefore() {
        target.show(target.floor(), 100, 60, "one");
        target.show(target.floor(), 99, 60, "another");
        target.show(target.floor(), 100, 59, "another");
        assertThat(breaches.count(Breach.OTHERS_DISAGREE)).isEqualTo(2);
    }

    @Test
    void acceptsWhatOthersReadMeanwhile() {
        ObservedThread.Floor before = target.floor();
        target.show(target.floor(), 100, 60, "one");
        target.show(before, 99, 59, "another");
        assertThat(breaches.count(Breach.OTHERS_DISAGREE)).isZero();
    }
}
