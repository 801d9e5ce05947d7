// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ClockTickTest {
    @Test
    void isTheSmallestUsualStepBetweenStamps() {
        assertThat(ClockTick.perSecond(List.of(0L, 0L, 4_000_000L, 12_000_000L, 16_000_000L, 16_000_000L)))
                .hasValue(250);
    }

    @Test
    void bearsTheRoundingOfANanosecond() {
        assertThat(ClockTick.perSecond(List.of(0L, 3_999_999L, 7_999_999L))).hasValue(250);
        assertThat(ClockTick.perSecond(List.of(0L, 3_333_333L, 6_666_667L))).hasValue(300);
    }

    @Test
    void passesOverTheOneFinerStampOfAFileThatWasLookedAt() {
        assertThat(ClockTick.perSecond(List.of(0L, 914_739L, 4_914_739L, 8_914_739L)))
                .hasValue(250);
    }

    @Test
    void isUnknownWhereStampsAreFinerThanAnyTick() {
        assertThat(ClockTick.perSecond(List.of(0L, 17_042L, 38_117L))).isEmpty();
    }

    @Test
    void isUnknownWhereStampsAreWholeSeconds() {
        assertThat(ClockTick.perSecond(List.of(0L, 0L, 0L))).isEmpty();
        assertThat(ClockTick.perSecond(List.of(0L, 1_000_000_000L, 2_000_000_000L)))
                .isEmpty();
    }

    /** A busy machine may see too few ticks one by one: that is no contradiction. */
    @Test
    void measuresTheSameTwiceOnThisMachineOrNothing() {
        OptionalLong once = ClockTick.perSecond();
        OptionalLong again = ClockTick.perSecond();
        assertThat(again.isEmpty() || once.isEmpty() || again.equals(once))
                .as("%s and %s", once, again)
                .isTrue();
    }
}
