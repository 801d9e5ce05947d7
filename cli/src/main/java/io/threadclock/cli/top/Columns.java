// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

/**
 * The columns for which a terminal has room. As it gets narrower, they give way in this order: SWITCH/s, LAST, WAIT,
 * and then all but usage, kind and name. If rows are sorted by SWITCH/s, it takes the place of LAST. LAST is as wide as
 * the names leave room for it.
 *
 * @param names the width of the longest name
 */
record Columns(int width, Order order, int names) {
    static final int BAR_WIDTH = 8;
    static final int WAIT_WIDTH = 5;
    static final int SWITCHES_WIDTH = 8;
    /** The width of usage, bar, time, state, kind and tid, with the spaces behind them. */
    private static final int FIXED_WIDTH = 43;

    private static final int SPARK_LEAST = 5;
    /** The least width of names beside LAST. */
    private static final int NAME_WIDTH = 25;

    private static final int NAME_LEAST = 13;

    boolean isNarrow() {
        return width < FIXED_WIDTH + NAME_LEAST;
    }

    boolean hasWait() {
        return width >= withWait() + NAME_LEAST;
    }

    boolean hasSwitches() {
        int beside = order == Order.SWITCHES ? NAME_LEAST : SPARK_LEAST + 1 + NAME_WIDTH;
        return width >= withWait() + SWITCHES_WIDTH + 1 + beside;
    }

    /** The width of LAST; 0: there is none. */
    int spark() {
        int room = width - withWait() - (hasSwitches() ? SWITCHES_WIDTH + 1 : 0) - 1;
        int most = Math.max(SPARK_LEAST, room - Math.max(NAME_WIDTH, names));
        return room < SPARK_LEAST + NAME_WIDTH ? 0 : Math.min(History.SAMPLES, most);
    }

    private static int withWait() {
        return FIXED_WIDTH + WAIT_WIDTH + 1;
    }
}
