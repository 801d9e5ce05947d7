// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.tables;

import io.threadclock.benchmarks.results.Contest;
import io.threadclock.benchmarks.results.Results;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Spread;
import java.util.List;

/** What attribution may cost an engine: next to nothing, where stock user time costs it a lot. */
final class EngineTargets {
    private static final double SHARE = 0.005;
    private static final double STOCK_TIMES_SHARE = 10;

    private final Results results;

    EngineTargets(Results results) {
        this.results = results;
    }

    List<Target> targets() {
        return Attribution.contests(results).stream()
                .filter(contest -> TargetTable.parsesProc(contest.jdk()))
                .map(EngineTargets::target)
                .toList();
    }

    private static Target target(Contest contest) {
        String quantity = "JDK " + contest.jdk() + ": attribution of a database's work" + threads(contest.parameter())
                + ", share of throughput";
        String wanted =
                "≤ " + Figure.percent(SHARE) + " where stock takes " + Figure.percent(SHARE * STOCK_TIMES_SHARE);
        if (!contest.has(Contest.STOCK) || !contest.has(Contest.THREADCLOCK)) {
            return Target.notMeasured(quantity, wanted);
        }
        Spread share = Attribution.share(contest, Contest.THREADCLOCK);
        Spread stock = Attribution.share(contest, Contest.STOCK);
        return new Target(
                quantity,
                wanted,
                Figure.spread(share, Figure::percent) + "; stock " + Figure.spread(stock, Figure::percent),
                "",
                share.median() <= SHARE && stock.median() >= SHARE * STOCK_TIMES_SHARE ? Target.YES : Target.NO);
    }

    private static String threads(Double count) {
        return count == null ? "" : " on " + Figure.count(count.longValue()) + (count == 1 ? " thread" : " threads");
    }
}
