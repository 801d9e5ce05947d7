// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a run has measured so far, in the order in which it began to measure it. For one thread. */
public final class ResultsDraft {
    /** More than any measurement here carries. */
    private static final MathContext DIGITS = new MathContext(6);

    private final Map<Subject, Series> series = new LinkedHashMap<>();
    private final Map<Subject, Distribution> distributions = new LinkedHashMap<>();
    private final List<FlameGraph> flameGraphs = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();

    /** One round more of the figure. */
    public void add(Subject subject, String unit, double round) {
        Series before = series.getOrDefault(subject, new Series(subject, unit, List.of()));
        List<Double> rounds = new ArrayList<>(before.rounds());
        rounds.add(rounded(round));
        series.put(subject, new Series(subject, unit, rounds));
    }

    /** @throws IllegalArgumentException if that figure is there already */
    public void add(Series figure) {
        refuseTwice(series.put(figure.subject(), rounded(figure)));
    }

    /** @throws IllegalArgumentException if that figure is there already */
    public void add(Distribution distribution) {
        refuseTwice(distributions.put(distribution.subject(), rounded(distribution)));
    }

    /** Takes a figure out, if it is there. */
    public Optional<Series> take(Subject subject) {
        return Optional.ofNullable(series.remove(subject));
    }

    /** All that a part has measured. */
    public void addAll(List<Series> figures, List<Distribution> ofSamples, List<String> toNote) {
        figures.forEach(this::add);
        ofSamples.forEach(this::add);
        toNote.forEach(this::note);
    }

    public void add(FlameGraph flameGraph) {
        flameGraphs.add(flameGraph);
    }

    /** Once, however often it is said. */
    public void note(String text) {
        notes.add(text);
    }

    public Results finish(Origin origin) {
        return new Results(
                Results.FORMAT,
                origin,
                List.copyOf(series.values()),
                List.copyOf(distributions.values()),
                flameGraphs,
                List.copyOf(notes));
    }

    private static void refuseTwice(Object before) {
        if (before != null) {
            throw new IllegalArgumentException("measured twice: " + before);
        }
    }

    private static Series rounded(Series figure) {
        return new Series(
                figure.subject(),
                figure.unit(),
                figure.rounds().stream().map(ResultsDraft::rounded).toList());
    }

    private static Distribution rounded(Distribution distribution) {
        SortedMap<Double, Double> percentiles = new TreeMap<>();
        distribution.percentiles().forEach((percentile, figure) -> percentiles.put(percentile, rounded(figure)));
        return new Distribution(
                distribution.subject(),
                distribution.unit(),
                distribution.count(),
                rounded(distribution.mean()),
                percentiles);
    }

    /** Whole numbers stay: bytes are counted, not measured. */
    private static double rounded(double figure) {
        return Math.rint(figure) == figure
                ? figure
                : new BigDecimal(figure).round(DIGITS).doubleValue();
    }
}
