// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.tables;

import io.threadclock.benchmarks.results.Benchmarks;
import io.threadclock.benchmarks.results.Contest;
import io.threadclock.benchmarks.results.Results;
import io.threadclock.harness.Spread;
import java.util.List;

/** What it costs an engine to say what each unit of its work has cost. */
final class Attribution {
    /** The contender that does not say it. */
    static final String OFF = "off";

    private Attribution() {}

    /** On each JDK, for each number of threads. */
    static List<Contest> contests(Results results) {
        return results.each(
                Benchmarks.ENGINE_THROUGHPUT,
                subject -> new Contest(
                        results, Benchmarks.ENGINE_THROUGHPUT, subject.jdk(), subject.quantity(), subject.parameter()));
    }

    /** The share of throughput that is lost, round by round; below 0 where it is lost in noise. */
    static Spread share(Contest contest, String contender) {
        Spread kept = contest.of(contender).ratioTo(contest.of(OFF));
        return new Spread(1 - kept.median(), 1 - kept.greatest(), 1 - kept.least());
    }
}
