// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** The time is fake: it passes while the clock is read. */
class LatencyProbeTest {
    private long nowNs;
    private long reads;

    private LatencyProbe probe(LongUnaryOperator nsOfReading) {
        return new LatencyProbe(() -> nowNs += nsOfReading.applyAsLong(++reads), () -> nowNs);
    }

    @Test
    void tellsNothingBeforeItHasMeasured() {
        LatencyProbe probe = probe(number -> 20);
        assertThat(probe.afterReadNs()).isNaN();
        assertThat(probe.afterSwitchNs()).isNaN();
    }

    @Test
    void findsWhatAReadingTakes() {
        LatencyProbe probe = probe(number -> 5_000);
        probe.measure();
        assertThat(probe.afterReadNs()).as("ns of a reading that takes 5 µs").isEqualTo(5_000);
        assertThat(probe.afterSwitchNs()).as("the same after a switch").isEqualTo(5_000);
    }

    @Test
    void isNotMisledByAPreemption() {
        LatencyProbe probe = probe(number -> number % 1_000 == 0 ? 10_000_000 : 20);
        probe.measure();
        assertThat(probe.afterReadNs())
                .as("ns of a reading, one of 1,000 of which takes 10 ms")
                .isEqualTo(20);
    }
}
