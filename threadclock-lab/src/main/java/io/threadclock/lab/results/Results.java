// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A whole run.
 *
 * @param format of the file; a reader refuses another one
 * @param notes what programs said that belongs to the figures: refusals, demotions, what was left out and why
 */
public record Results(
        int format,
        Origin origin,
        List<Series> series,
        List<Distribution> distributions,
        List<FlameGraph> flameGraphs,
        List<String> notes) {
    public static final int FORMAT = 1;

    public Results {
        series = List.copyOf(series);
        distributions = List.copyOf(distributions);
        flameGraphs = List.copyOf(flameGraphs);
        notes = List.copyOf(notes);
    }

    public Optional<Series> find(Subject subject) {
        return series.stream().filter(each -> each.subject().equals(subject)).findFirst();
    }

    public Optional<Distribution> findDistribution(Subject subject) {
        return distributions.stream()
                .filter(each -> each.subject().equals(subject))
                .findFirst();
    }

    /** All figures of a benchmark, in the order in which they were measured. */
    public List<Series> of(String benchmark) {
        return series.stream()
                .filter(each -> each.subject().benchmark().equals(benchmark))
                .toList();
    }

    /** What figures of a benchmark have for one part of their subject: each once, in the order of measurement. */
    public <T> List<T> each(String benchmark, Function<Subject, T> part) {
        return of(benchmark).stream().map(Series::subject).map(part).distinct().toList();
    }
}
