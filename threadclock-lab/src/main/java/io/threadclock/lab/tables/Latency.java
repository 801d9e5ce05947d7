// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.List;

/** The ns between two looks at System.nanoTime() around each call, on many threads of one JDK. */
record Latency(Results results, String jdk, double threads) {
    /** The quantity of two looks with no call between. */
    static final String TIMER = "timer";

    /** Less than the timer can tell: on a busy machine two looks with a call between may seem to take no longer. */
    private static final double LEAST_NS = 1;

    private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 95.0, 99.0, 99.9, 99.99);

    static List<Latency> all(Results results) {
        return results.each(Benchmarks.LATENCY, subject -> new Latency(results, subject.jdk(), subject.parameter()));
    }

    /** Those that can be told from noise, but for the greatest. */
    static List<Double> percentiles() {
        return PERCENTILES;
    }

    int rounds() {
        return means(TIMER).of(Contest.STOCK).rounds().size();
    }

    /** All rounds together. */
    Distribution total(String contender, String quantity) {
        Subject subject = new Subject(Benchmarks.LATENCY, jdk, contender, quantity, threads);
        return results.findDistribution(subject)
                .orElseThrow(() -> new IllegalArgumentException("not measured: " + subject));
    }

    /** How many times faster than stock at the mean, the timer's own mean taken off both, round by round. */
    Spread gainAtMean(String quantity) {
        return meansLessTimer(Contest.STOCK, quantity).ratioTo(meansLessTimer(Contest.THREADCLOCK, quantity));
    }

    /** The same with the timer in both. */
    Spread gainAtMeanWithTimer(String quantity) {
        return means(quantity).gain(Contest.THREADCLOCK);
    }

    Spread meanLessTimer(String contender, String quantity) {
        return meansLessTimer(contender, quantity).spread();
    }

    /** The percentiles, of those measured, at which threadclock is not better than stock. */
    List<Double> percentilesNotBetter(String quantity) {
        Distribution stock = total(Contest.STOCK, quantity);
        Distribution threadclock = total(Contest.THREADCLOCK, quantity);
        return PERCENTILES.stream()
                .filter(percentile -> threadclock.at(percentile) >= stock.at(percentile))
                .toList();
    }

    private Contest means(String quantity) {
        return new Contest(results, Benchmarks.LATENCY, jdk, quantity, threads);
    }

    private Series meansLessTimer(String contender, String quantity) {
        List<Double> timer = means(TIMER).of(contender).rounds();
        Series with = means(quantity).of(contender);
        List<Double> less = new ArrayList<>();
        for (int round = 0; round < timer.size(); round++) {
            less.add(Math.max(LEAST_NS, with.rounds().get(round) - timer.get(round)));
        }
        return new Series(with.subject(), with.unit(), less);
    }
}
