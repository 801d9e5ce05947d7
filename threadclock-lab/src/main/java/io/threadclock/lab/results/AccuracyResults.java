// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import java.util.List;
import java.util.Optional;

/**
 * A whole run of the laboratory.
 *
 * @param format of the file; a reader refuses another one
 * @param notes what the laboratory said that belongs to the figures
 */
public record AccuracyResults(int format, Origin origin, List<ErrorFigure> figures, List<String> notes) {
    public static final int FORMAT = 1;

    public AccuracyResults {
        figures = List.copyOf(figures);
        notes = List.copyOf(notes);
    }

    /** In the order in which they were measured. */
    public List<String> workloads(String over) {
        return of(over).stream().map(ErrorFigure::workload).distinct().toList();
    }

    /** In the order in which they were measured, over all workloads. */
    public List<String> readers(String over) {
        return of(over).stream().map(ErrorFigure::reader).distinct().toList();
    }

    public List<ErrorFigure> of(String over) {
        return figures.stream().filter(figure -> figure.over().equals(over)).toList();
    }

    public Optional<Double> amount(String workload, String over, String reader, String quantity, String statistic) {
        return of(over).stream()
                .filter(figure ->
                        figure.workload().equals(workload) && figure.reader().equals(reader))
                .filter(figure -> figure.is(quantity, statistic))
                .map(ErrorFigure::amount)
                .findFirst();
    }
}
