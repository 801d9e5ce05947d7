// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results.FlameGraph;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The measurements of a run so far, in the order in which they began. Only one thread may use it. */
public final class ResultsDraft {
    /** More than any measurement here carries. */
    private static final MathContext DIGITS = new MathContext(6);

    private final Map<Subject, Measurement> measurements = new LinkedHashMap<>();
    private final List<FlameGraph> flameGraphs = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();

    /** One round more of the figure. */
    public void add(Subject subject, String unit, double round) {
        Measurement before = measurements.get(subject);
        List<Double> rounds = new ArrayList<>(before == null ? List.of() : before.rounds());
        rounds.add(rounded(round));
        measurements.put(subject, Measurement.of(subject, unit, rounds));
    }

    /**
     * A measurement, or the samples beside the rounds of one.
     *
     * @throws IllegalArgumentException if that figure is there already
     */
    public void add(Measurement measured) {
        measurements.merge(measured.subject(), rounded(measured), ResultsDraft::both);
    }

    private static Measurement both(Measurement rounds, Measurement samples) {
        if (samples.hasRounds() || !rounds.statistics().isEmpty()) {
            throw new IllegalArgumentException("measured twice: " + rounds);
        }
        return new Measurement(
                rounds.subject(), rounds.unit(), rounds.rounds(), samples.samples(), samples.statistics(), null);
    }

    /** Takes a figure out, if it is there. */
    public Optional<Measurement> take(Subject subject) {
        return Optional.ofNullable(measurements.remove(subject));
    }

    public void add(FlameGraph flameGraph) {
        flameGraphs.add(flameGraph);
    }

    /** Once, however often it is said. */
    public void note(String text) {
        notes.add(text);
    }

    public Results finish(Origin origin) {
        return new Results(Results.FORMAT, origin, List.copyOf(measurements.values()), flameGraphs, List.copyOf(notes));
    }

    private static Measurement rounded(Measurement measured) {
        Map<String, Double> statistics = new LinkedHashMap<>();
        measured.statistics().forEach((name, figure) -> statistics.put(name, rounded(figure)));
        return new Measurement(
                measured.subject(),
                measured.unit(),
                measured.rounds().stream().map(ResultsDraft::rounded).toList(),
                measured.samples(),
                statistics,
                measured.most());
    }

    /** Whole numbers stay: bytes are counted, not measured. */
    private static double rounded(double figure) {
        return Math.rint(figure) == figure || !Double.isFinite(figure)
                ? figure
                : new BigDecimal(figure).round(DIGITS).doubleValue();
    }
}
