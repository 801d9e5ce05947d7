// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import io.threadclock.lab.results.Measurement.Subject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A whole run, of the benchmarks, the accuracy laboratory or the soak.
 *
 * @param format of the file; a reader refuses another one
 * @param notes what programs said that belongs to the figures: refusals, demotions, what was left out and why
 */
public record Results(
        int format, Origin origin, List<Measurement> measurements, List<FlameGraph> flameGraphs, List<String> notes) {
    public static final int FORMAT = 2;

    /**
     * A page beside results.json.
     *
     * @param file its name there
     * @param title what it shows
     * @param systemCallShare share of the samples that were in a system call, 0 to 1
     */
    public record FlameGraph(String file, String title, double systemCallShare) {}

    public Results {
        measurements = List.copyOf(measurements);
        flameGraphs = List.copyOf(flameGraphs);
        notes = List.copyOf(notes);
    }

    /** Without flame graphs. */
    public Results(Origin origin, List<Measurement> measurements, List<String> notes) {
        this(FORMAT, origin, measurements, List.of(), notes);
    }

    /**
     * Where a checkout keeps the run that its documents are made from.
     *
     * @param home the checkout
     * @param of {@code bench}, {@code accuracy} or {@code soak}
     */
    public static ResultsFile kept(Path home, String of) {
        return new ResultsFile(home.resolve("threadclock-lab/results/" + of + ".json"));
    }

    /** The same run with some of its measurements. */
    public Results with(List<Measurement> some) {
        return new Results(format, origin, some, flameGraphs, notes);
    }

    public Optional<Measurement> find(Subject subject) {
        return measurements.stream()
                .filter(each -> each.subject().equals(subject))
                .findFirst();
    }

    /** All that a benchmark has measured, in the order in which it was. */
    public List<Measurement> of(String benchmark) {
        return measurements.stream()
                .filter(each -> each.subject().benchmark().equals(benchmark))
                .toList();
    }

    /** The same on one JDK. */
    public List<Measurement> of(String benchmark, String jdk) {
        return of(benchmark).stream()
                .filter(each -> each.subject().jdk().equals(jdk))
                .toList();
    }

    /** The one measurement of a contender in a benchmark that has one of each. */
    public Optional<Measurement> find(String benchmark, String jdk, String contender) {
        return of(benchmark, jdk).stream()
                .filter(each -> each.subject().contender().equals(contender))
                .findFirst();
    }

    /** Those of a benchmark that have percentiles. */
    public List<Measurement> distributions(String benchmark) {
        return of(benchmark).stream()
                .filter(each -> !each.percentiles().isEmpty())
                .toList();
    }

    /** The values of one part of the subject in the figures of a benchmark, each once, in the order of measurement. */
    public <T> List<T> each(String benchmark, Function<Subject, T> part) {
        return of(benchmark).stream()
                .map(Measurement::subject)
                .map(part)
                .distinct()
                .toList();
    }
}
