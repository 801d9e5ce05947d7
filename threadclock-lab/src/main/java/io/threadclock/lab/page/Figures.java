// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The figures of a run, as the page looks for them. What has no finite number is not among them. */
final class Figures {
    private final Results results;
    private final List<Series> series;
    private final List<Distribution> distributions;

    Figures(Results results) {
        this.results = results;
        this.series = results.series().stream().filter(Figures::isMeasured).toList();
        this.distributions =
                results.distributions().stream().filter(Figures::isMeasured).toList();
    }

    private static boolean isMeasured(Series series) {
        return !series.rounds().isEmpty() && series.rounds().stream().allMatch(Double::isFinite);
    }

    private static boolean isMeasured(Distribution distribution) {
        return !distribution.percentiles().isEmpty()
                && distribution.percentiles().values().stream().allMatch(Double::isFinite);
    }

    /** How many figures of the run are not among these. */
    int unmeasured() {
        return results.series().size() - series.size() + results.distributions().size() - distributions.size();
    }

    List<Series> series() {
        return series;
    }

    List<Distribution> distributions() {
        return distributions;
    }

    List<Series> seriesOf(String benchmark) {
        return series.stream().filter(one -> one.subject().benchmark().equals(benchmark)).toList();
    }

    List<Distribution> distributionsOf(String benchmark) {
        return distributions.stream()
                .filter(one -> one.subject().benchmark().equals(benchmark))
                .toList();
    }

    /** The benchmarks in the order in which they were written down. */
    Set<String> benchmarks() {
        Set<String> benchmarks = new LinkedHashSet<>();
        subjects().forEach(subject -> benchmarks.add(subject.benchmark()));
        return benchmarks;
    }

    /** Those of the run first, in its order; then any that only a figure names. */
    List<String> jdks() {
        Set<String> jdks = new LinkedHashSet<>();
        results.origin().runtimes().stream().map(Origin.Runtime::version).forEach(jdks::add);
        subjects().map(Subject::jdk).forEach(jdks::add);
        return new ArrayList<>(jdks);
    }

    Optional<Series> find(String benchmark, String jdk, String contender, String quantity) {
        return series.stream()
                .filter(one -> one.subject().benchmark().equals(benchmark)
                        && one.subject().jdk().equals(jdk)
                        && one.subject().contender().equals(contender)
                        && one.subject().quantity().equals(quantity))
                .findFirst();
    }

    private Stream<Subject> subjects() {
        return Stream.concat(
                series.stream().map(Series::subject), distributions.stream().map(Distribution::subject));
    }
}
