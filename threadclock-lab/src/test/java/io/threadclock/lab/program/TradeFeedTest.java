// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.program.TradeClient.TradeFeed;
import org.junit.jupiter.api.Test;

class TradeFeedTest {
    private static final String TRADE = "trades,symbol=[A-Z]{3}-USD,side=(buy|sell) price=[0-9.E]+,amount=[0-9.E-]+";

    @Test
    void writesHistoryAsLinesOneMillisecondApart() {
        assertThat(new TradeFeed(1).history(5, 2).lines())
                .satisfiesExactly(
                        first -> assertThat(first).matches(TRADE + " 1704067200005000000"),
                        second -> assertThat(second).matches(TRADE + " 1704067200006000000"));
    }

    @Test
    void leavesTheTimeOfLiveTradesToTheServer() {
        assertThat(new TradeFeed(1).live(3).lines()).hasSize(3).allMatch(line -> line.matches(TRADE));
    }

    @Test
    void writesTheSameTradesForTheSameSeed() {
        assertThat(new TradeFeed(7).live(10)).isEqualTo(new TradeFeed(7).live(10));
        assertThat(new TradeFeed(7).live(10)).isNotEqualTo(new TradeFeed(8).live(10));
    }
}
