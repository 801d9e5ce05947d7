// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Contest;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Spread;
import java.util.function.DoubleFunction;

/** How the figures of a contest stand in a table: not at all where a contender was not measured. */
final class Cells {
    private Cells() {}

    static String ns(Contest contest, String contender) {
        return spread(contest, contender, Figure::ns);
    }

    static String spread(Contest contest, String contender, DoubleFunction<String> figure) {
        return contest.find(contender)
                .map(series -> Figure.spread(series.spread(), figure))
                .orElse("");
    }

    /** How many times less than stock; nothing for stock itself. */
    static String gain(Contest contest, String contender) {
        return isBesideStock(contest, contender) ? ratio(contest.gain(contender)) : "";
    }

    static String timesStock(Contest contest, String contender) {
        return isBesideStock(contest, contender) ? ratio(contest.timesStock(contender)) : "";
    }

    private static boolean isBesideStock(Contest contest, String contender) {
        return !contender.equals(Contest.STOCK) && contest.has(Contest.STOCK) && contest.has(contender);
    }

    private static String ratio(Spread ratio) {
        return Figure.spread(ratio, Figure::ratio);
    }
}
