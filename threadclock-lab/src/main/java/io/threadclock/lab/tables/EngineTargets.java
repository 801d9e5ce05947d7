// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.harness.Figure;
import io.threadclock.harness.Spread;
import java.util.List;
import java.util.Optional;

/** What attribution may cost an engine: next to nothing, where stock user time costs it a lot. */
final class EngineTargets {
    private static final double SHARE = 0.005;
    private static final double STOCK_TIMES_SHARE = 10;

    private final Results results;

    EngineTargets(Results results) {
        this.results = results;
    }

    List<Target> targets() {
        return Attribution.all(results).stream()
                .filter(attribution -> TargetTable.parsesProc(attribution.jdk()))
                .map(EngineTargets::target)
                .toList();
    }

    private static Target target(Attribution attribution) {
        String quantity = "JDK " + attribution.jdk() + ": attribution of a database's work, share of throughput";
        String wanted =
                "≤ " + Figure.percent(SHARE) + " where stock takes " + Figure.percent(SHARE * STOCK_TIMES_SHARE);
        Optional<Spread> threadclock = attribution.ofThroughput(Contest.THREADCLOCK);
        Optional<Spread> stock = attribution.ofThroughput(Contest.STOCK);
        if (threadclock.isEmpty() || stock.isEmpty()) {
            return Target.notMeasured(quantity, wanted);
        }
        return new Target(
                quantity,
                wanted,
                Attribution.text(threadclock.get()) + "; stock " + Attribution.text(stock.get()),
                "",
                verdict(threadclock.get().median(), stock.get().median()));
    }

    private static String verdict(double share, double stockShare) {
        return share <= SHARE && stockShare >= SHARE * STOCK_TIMES_SHARE ? Target.YES : Target.NO;
    }
}
