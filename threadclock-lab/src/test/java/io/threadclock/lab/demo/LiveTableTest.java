// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.demo.message.LiveSecond;
import java.time.LocalTime;
import org.junit.jupiter.api.Test;

class LiveTableTest {
    /** Of a terminal that nobody has made wider. */
    private static final int TERMINAL_COLUMNS = 80;

    private final LiveTable table = new LiveTable();

    @Test
    void aLineHoldsEachFigureBelowItsTitle() {
        String line = table.line(LocalTime.of(9, 5, 7), second(9_915));
        assertThat(line).isEqualTo("09:05:07  12,582   9,915 10,915     329  1,039   3,700  5,100   124");
        assertThat(LiveTable.TITLES.lines()).allSatisfy(title -> assertThat(title).hasSameSizeAs(line));
    }

    @Test
    void remarksOnAMedianThatIsFarLess() {
        line(9_915);
        assertThat(line(20)).endsWith("124 <- 496× less");
        assertThat(line(20)).endsWith("124");
    }

    @Test
    void remarksOnAMedianThatIsFarMore() {
        line(20);
        assertThat(line(9_000)).endsWith("124 <- 450× more");
    }

    @Test
    void doesNotRemarkOnABusyMachine() {
        assertThat(line(9_915)).as("the first line").endsWith("124");
        assertThat(line(3_000)).as("3 times less").endsWith("124");
        assertThat(line(9_915)).as("3 times more").endsWith("124");
    }

    @Test
    void remarksOnAMedianThatTheTimerHides() {
        line(100);
        assertThat(line(0)).endsWith("124 <- 100× less");
        assertThat(line(100)).endsWith("124 <- 100× more");
    }

    @Test
    void fitsIntoATerminal() {
        line(9_915);
        assertThat(line(20)).hasSizeLessThanOrEqualTo(TERMINAL_COLUMNS);
    }

    private String line(long userMedianNs) {
        return table.line(LocalTime.NOON, second(userMedianNs));
    }

    private static LiveSecond second(long userMedianNs) {
        return new LiveSecond(
                6_291,
                500_000_000,
                new LiveSecond.Calls(userMedianNs, userMedianNs + 1_000),
                new LiveSecond.Calls(329, 1_039),
                new LiveSecond.Calls(3_700, 5_100),
                124);
    }
}
