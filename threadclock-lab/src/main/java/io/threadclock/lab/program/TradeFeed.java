// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.util.SplittableRandom;

/** Trades as lines of QuestDB's line protocol, the same ones for the same seed. */
final class TradeFeed {
    static final String TABLE = "trades";
    /** 2024-01-01T00:00:00Z. The queries look at trades after this moment. */
    static final long HISTORY_BEGIN_NS = 1_704_067_200_000_000_000L;

    static final long HISTORY_STEP_NS = 1_000_000L;

    private static final String[] SYMBOLS = {"BTC-USD", "ETH-USD", "SOL-USD", "ADA-USD", "XRP-USD", "DOT-USD"};
    private static final int APPROXIMATE_LINE_LENGTH = 80;

    private final SplittableRandom random;

    TradeFeed(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Trades one step apart, the first of them {@code firstRow} steps after the begin of history. */
    String history(int firstRow, int rows) {
        StringBuilder lines = new StringBuilder(rows * APPROXIMATE_LINE_LENGTH);
        for (int row = firstRow; row < firstRow + rows; row++) {
            appendTrade(lines);
            lines.append(' ').append(HISTORY_BEGIN_NS + row * HISTORY_STEP_NS).append('\n');
        }
        return lines.toString();
    }

    /** Trades of this moment: the server stamps them when they arrive. */
    String live(int rows) {
        StringBuilder lines = new StringBuilder(rows * APPROXIMATE_LINE_LENGTH);
        for (int row = 0; row < rows; row++) {
            appendTrade(lines);
            lines.append('\n');
        }
        return lines.toString();
    }

    private void appendTrade(StringBuilder lines) {
        lines.append(TABLE)
                .append(",symbol=")
                .append(SYMBOLS[random.nextInt(SYMBOLS.length)])
                .append(",side=")
                .append(random.nextBoolean() ? "buy" : "sell")
                .append(" price=")
                .append(random.nextInt(10_000_000) / 100.0)
                .append(",amount=")
                .append(random.nextInt(100_000) / 1000.0);
    }
}
