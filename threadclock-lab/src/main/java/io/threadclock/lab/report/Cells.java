// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Contest;

/** How the figures of a contest stand in a table: not at all where a contender was not measured. */
final class Cells {
    private Cells() {}

    static String ns(Contest contest, String contender) {
        return contest.find(contender)
                .map(series -> Figure.spread(series.spread(), Figure::ns))
                .orElse("");
    }

    /** How many times less than stock; nothing for stock itself. */
    static String gain(Contest contest, String contender) {
        return isBesideStock(contest, contender) ? ratio(contest.gain(contender)) : "";
    }

    static String timesStock(Contest contest, String contender) {
        return isBesideStock(contest, contender) ? ratio(contest.timesStock(contender)) : "";
    }

    static String ratio(Spread ratio) {
        return Figure.spread(ratio, Figure::ratio);
    }

    private static boolean isBesideStock(Contest contest, String contender) {
        return !contender.equals(Contest.STOCK) && contest.has(Contest.STOCK) && contest.has(contender);
    }
}
