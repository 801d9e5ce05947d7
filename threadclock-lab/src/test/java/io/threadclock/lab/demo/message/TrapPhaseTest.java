// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TrapPhaseTest {
    @Test
    void survivesTheWayToTheDriver() {
        TrapPhase phase = new TrapPhase(250_000, 60, 17_000_000, 18_000_000);
        assertThat(TrapPhase.of(Message.parse(phase.toMessage().toString()).orElseThrow()))
                .isEqualTo(phase);
    }
}
