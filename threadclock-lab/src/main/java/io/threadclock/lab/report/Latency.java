// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The ns between two looks at System.nanoTime() around each call, on many threads of one JDK. */
record Latency(Results results, String jdk, double threads) {
    /** The quantity of two looks with no call between. */
    static final String TIMER = "timer";

    /** Less than the timer can tell: on a busy machine two looks with a call between may seem to take no longer. */
    private static final double LEAST_NS = 1;

    private static final double GREATEST = 100;

    /** Those that can be told from noise, but for the greatest. */
    static final List<Double> PERCENTILES = List.of(50.0, 90.0, 95.0, 99.0, 99.9, 99.99);

    static List<Latency> all(Results results) {
        return results.of(Benchmarks.LATENCY).stream()
                .filter(Measurement::hasRounds)
                .map(Measurement::subject)
                .map(subject -> new Latency(results, subject.jdk(), subject.parameter()))
                .distinct()
                .toList();
    }

    int rounds() {
        return means(TIMER).of(Contest.STOCK).rounds().size();
    }

    /** All rounds together. */
    Measurement total(String contender, String quantity) {
        Subject subject = new Subject(Benchmarks.LATENCY, jdk, contender, quantity, threads);
        return results.find(subject).orElseThrow(() -> new IllegalArgumentException("not measured: " + subject));
    }

    /** How many times faster than stock at the mean, the timer's own mean taken off both, round by round. */
    Spread gainAtMean(String quantity) {
        return meansLessTimer(Contest.STOCK, quantity).ratioTo(meansLessTimer(Contest.THREADCLOCK, quantity));
    }

    Spread meanLessTimer(String contender, String quantity) {
        return meansLessTimer(contender, quantity).spread();
    }

    /** How many times faster than stock at the percentile where it gains least, but for the greatest. */
    double leastGain(String quantity) {
        Measurement stock = total(Contest.STOCK, quantity);
        Measurement threadclock = total(Contest.THREADCLOCK, quantity);
        return PERCENTILES.stream()
                .mapToDouble(percentile -> stock.at(percentile) / threadclock.at(percentile))
                .min()
                .orElseThrow();
    }

    private Contest means(String quantity) {
        return new Contest(results, Benchmarks.LATENCY, jdk, quantity, threads);
    }

    private Measurement meansLessTimer(String contender, String quantity) {
        List<Double> timer = means(TIMER).of(contender).rounds();
        Measurement with = means(quantity).of(contender);
        List<Double> less = new ArrayList<>();
        for (int round = 0; round < timer.size(); round++) {
            less.add(Math.max(LEAST_NS, with.rounds().get(round) - timer.get(round)));
        }
        return Measurement.of(with.subject(), with.unit(), less);
    }

    /** Stock, threadclock, and their ratio. */
    void addRows(Table table, String quantity) {
        Measurement stock = total(Contest.STOCK, quantity);
        Measurement threadclock = total(Contest.THREADCLOCK, quantity);
        addRow(table, quantity, Contest.STOCK, stock);
        addRow(table, quantity, Contest.THREADCLOCK, threadclock);
        List<String> ratios =
                new ArrayList<>(List.of(jdk, quantity, "ratio", "", Figure.ratio(stock.mean() / threadclock.mean())));
        // Both are looks at the same timer, whose steps are a few ns.
        upToGreatest()
                .forEach(percentile ->
                        ratios.add(Figure.ratio(stock.at(percentile) / Math.max(1, threadclock.at(percentile)))));
        table.row(ratios);
    }

    void addTimer(Table table) {
        addRow(table, "timer alone", "", total(Contest.STOCK, TIMER));
    }

    private void addRow(Table table, String quantity, String clock, Measurement ns) {
        List<String> row =
                new ArrayList<>(List.of(jdk, quantity, clock, Figure.count(ns.samples()), Figure.ns(ns.mean())));
        upToGreatest().forEach(percentile -> row.add(Figure.count((long) ns.at(percentile))));
        table.row(row);
    }

    private static List<Double> upToGreatest() {
        return Stream.concat(PERCENTILES.stream(), Stream.of(GREATEST)).toList();
    }

    /** In words. */
    String lessTimer(String quantity) {
        return quantity + " " + Figure.spread(meanLessTimer(Contest.STOCK, quantity), Figure::ns) + " ns stock, "
                + Figure.spread(meanLessTimer(Contest.THREADCLOCK, quantity), Figure::ns) + " ns threadclock, ratio "
                + Figure.ratio(gainAtMean(quantity));
    }
}
