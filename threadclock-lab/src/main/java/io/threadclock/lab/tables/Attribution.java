// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.harness.Figure;
import io.threadclock.harness.Spread;
import io.threadclock.lab.question.CentreInterval;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import java.util.List;
import java.util.Optional;

/** What it costs an engine to say what each unit of its work has cost. */
record Attribution(Results results, String jdk, Double threads) {
    private static final double PERCENT = 100;

    /** On each JDK, for each number of threads. */
    static List<Attribution> all(Results results) {
        return results.each(
                Benchmarks.ENGINE_THROUGHPUT, subject -> new Attribution(results, subject.jdk(), subject.parameter()));
    }

    Contest throughput() {
        return new Contest(results, Benchmarks.ENGINE_THROUGHPUT, jdk, "units of work", threads);
    }

    /** The share of throughput, with the bounds of a confidence of 95 %; below 0 where it is lost in noise. */
    Optional<Spread> ofThroughput(String contender) {
        return share("units of work", contender);
    }

    /** The same of the CPU time of a unit. */
    Optional<Spread> ofCpuTime(String contender) {
        return share("CPU time", contender);
    }

    private Optional<Spread> share(String quantity, String contender) {
        return new Contest(results, Benchmarks.ENGINE_COST, jdk, quantity, threads)
                .find(contender)
                .map(Attribution::share);
    }

    private static Spread share(Series percents) {
        Spread percent = CentreInterval.of(percents.rounds()).toSpread();
        return new Spread(percent.median() / PERCENT, percent.least() / PERCENT, percent.greatest() / PERCENT);
    }

    static String text(Spread share) {
        return Figure.spread(share, Figure::percent);
    }
}
