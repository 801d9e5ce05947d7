// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.tables;

import io.threadclock.benchmarks.results.AccuracyResults;
import io.threadclock.benchmarks.results.ErrorFigure;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is promised of an error, and held against every run of the laboratory.
 *
 * @param reader of whom
 * @param quantity {@link ErrorFigure#USER} or {@link ErrorFigure#CPU}
 * @param statistic of the errors
 * @param most in the quantity's unit
 * @param workloads that it holds for; empty: for all that are not in {@code except}
 * @param except workloads that it does not hold for
 */
public record ErrorBound(
        String reader,
        ErrorWindow window,
        String quantity,
        String statistic,
        double most,
        Set<String> workloads,
        Set<String> except) {
    /** Where the truth itself is one-sided: what every sampler of a tick books wrongly. */
    private static final Set<String> CALLS = Set.of("getppid", "pread", "write", "mmap");

    /** All of them. */
    public static List<ErrorBound> all() {
        return List.of();
    }

    /** The greatest of the figures that it is about; empty if the run has none. */
    public Optional<ErrorFigure> worst(AccuracyResults results) {
        return results.of(window.over()).stream()
                .filter(figure -> figure.reader().equals(reader) && figure.is(quantity, statistic))
                .filter(figure -> workloads.isEmpty() || workloads.contains(figure.workload()))
                .filter(figure -> !except.contains(figure.workload()))
                .max(Comparator.comparingDouble(figure -> Math.abs(figure.amount())));
    }

    /** One line that names the workload, the figure and the bound; empty if it holds, or nothing was measured. */
    public Optional<String> complaint(AccuracyResults results) {
        return worst(results)
                .filter(worst -> !(Math.abs(worst.amount()) <= most))
                .map(worst -> worst.workload() + ": " + this + ", but was " + ErrorTable.figure(worst.amount()));
    }

    @Override
    public String toString() {
        String unit = quantity.equals(ErrorFigure.CPU) ? " ns" : " points";
        return statistic + " error of " + quantity + " time by " + reader + " " + window.words() + " ≤ "
                + ErrorTable.figure(most) + unit;
    }
}
