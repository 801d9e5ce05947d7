// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class LatencyProbeTest {
    private long reads;

    @Test
    void tellsNothingBeforeItHasMeasured() {
        LatencyProbe probe = new LatencyProbe(() -> 0);
        assertThat(probe.afterReadNs()).isNaN();
        assertThat(probe.afterSwitchNs()).isNaN();
    }

    @Test
    void findsWhatAReadingTakes() {
        LatencyProbe probe = new LatencyProbe(spinning(5_000));
        probe.measure();
        assertThat(probe.afterReadNs()).as("ns of a reading that takes 5 µs").isBetween(5_000.0, 50_000.0);
        assertThat(probe.afterSwitchNs()).as("the same after a switch").isBetween(4_000.0, 200_000.0);
    }

    @Test
    void isNotMisledByAPreemption() {
        LatencyProbe probe = new LatencyProbe(
                () -> ++reads % 1_000 == 0 ? spinning(10_000_000).getAsLong() : reads);
        probe.measure();
        assertThat(probe.afterReadNs())
                .as("ns of a reading, one of 1,000 of which takes 10 ms")
                .isLessThan(2_000);
    }

    private static LongSupplier spinning(long ns) {
        return () -> {
            long endNs = System.nanoTime() + ns;
            while (System.nanoTime() < endNs) {
                Thread.onSpinWait();
            }
            return endNs;
        };
    }
}
