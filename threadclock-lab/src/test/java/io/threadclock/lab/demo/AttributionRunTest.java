// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttributionRunTest {
    @Test
    void everyRoundHasEveryContenderWithAndWithoutAttribution() {
        assertThat(AttributionRun.inTurn(8, 0))
                .containsExactlyInAnyOrder(
                        new Setting(8, Contender.STOCK, true),
                        new Setting(8, Contender.THREADCLOCK, true),
                        new Setting(8, Contender.STOCK, false),
                        new Setting(8, Contender.THREADCLOCK, false));
    }

    @Test
    void everyOtherRoundRunsBackwardSoThatNoneIsAlwaysFirst() {
        List<Setting> backward = AttributionRun.inTurn(8, 1);
        Collections.reverse(backward);
        assertThat(backward).isEqualTo(AttributionRun.inTurn(8, 0));
        assertThat(AttributionRun.inTurn(8, 2)).isEqualTo(AttributionRun.inTurn(8, 0));
    }
}
