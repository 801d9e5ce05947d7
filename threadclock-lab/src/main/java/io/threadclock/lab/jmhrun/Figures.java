// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.openjdk.jmh.util.MultisetStatistics;
import org.openjdk.jmh.util.Statistics;

/** The figures of many forks, put together by what was measured; in the order in which that was first measured. */
final class Figures {
    private static final List<Double> PERCENTILES = List.of(0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 99.99, 100.0);

    private final Map<Subject, Series> series = new LinkedHashMap<>();
    private final Map<Subject, MultisetStatistics> samples = new LinkedHashMap<>();

    void add(Subject subject, String unit, List<Double> figures) {
        series.merge(subject, new Series(subject, unit, figures), Figures::joined);
    }

    void addSamples(Subject subject, Statistics ofFork) {
        MultisetStatistics all = samples.computeIfAbsent(subject, absent -> new MultisetStatistics());
        Iterator<Map.Entry<Double, Long>> each = ofFork.getRawData();
        while (each.hasNext()) {
            Map.Entry<Double, Long> sample = each.next();
            all.addValue(sample.getKey(), sample.getValue());
        }
    }

    /** For a figure that turned out to be of something else. */
    void forget(Subject subject) {
        series.remove(subject);
        samples.remove(subject);
    }

    /** Takes one out, which is then not among the others. */
    Optional<Series> take(Subject subject) {
        return Optional.ofNullable(series.remove(subject));
    }

    List<Series> series() {
        return List.copyOf(series.values());
    }

    List<Distribution> distributions() {
        List<Distribution> distributions = new ArrayList<>();
        samples.forEach((subject, all) -> distributions.add(distribution(subject, all)));
        return distributions;
    }

    private static Distribution distribution(Subject subject, Statistics all) {
        TreeMap<Double, Double> percentiles = new TreeMap<>();
        PERCENTILES.forEach(percentile -> percentiles.put(percentile, all.getPercentile(percentile)));
        return new Distribution(subject, "ns", all.getN(), all.getMean(), percentiles);
    }

    private static Series joined(Series first, Series second) {
        List<Double> rounds = new ArrayList<>(first.rounds());
        rounds.addAll(second.rounds());
        return new Series(first.subject(), first.unit(), rounds);
    }
}
