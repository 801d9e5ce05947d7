// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LiveSecondTest {
    private final LiveSecond second = new LiveSecond(
            7, 500_000_000, new LiveSecond.Calls(1, 2), new LiveSecond.Calls(3, 4), new LiveSecond.Calls(5, 6), 8);

    @Test
    void readsBackAsItself() {
        String line = second.toMessage().toString();
        assertThat(LiveSecond.of(Message.parse(line).orElseThrow())).isEqualTo(second);
    }

    @Test
    void countsUnitsByTheTimeThatHasPassed() {
        assertThat(second.unitsPerSecond()).isEqualTo(14);
    }
}
