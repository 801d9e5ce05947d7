// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.lab.results.ErrorFigure;
import io.threadclock.harness.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A run of the laboratory as text. */
public record AccuracyReport(AccuracyResults results) {
    /** The bounds, and each table. */
    public String toText() {
        StringBuilder text = new StringBuilder("\n").append(origin()).append("\n\n");
        sections().forEach(section -> text.append(section.toText()).append('\n'));
        return text.toString();
    }

    /** The same for docs/accuracy.md. */
    public String toMarkdown() {
        StringBuilder text = new StringBuilder(origin()).append("\n\n");
        results.notes().forEach(note -> text.append("- ").append(note).append('\n'));
        text.append(results.notes().isEmpty() ? "" : "\n");
        sections().forEach(section -> text.append(section.toMarkdown()));
        return text.toString();
    }

    /** What is promised and does not hold in this run, a line each. */
    public List<String> complaints() {
        return ErrorBound.all().stream()
                .flatMap(bound -> bound.complaint(results).stream())
                .toList();
    }

    private List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        sections.add(new BoundTable(results).section());
        tables().forEach(table -> sections.add(table.section()));
        PeriodTable periods = new PeriodTable(results);
        if (!periods.isEmpty()) {
            sections.add(periods.section());
        }
        return sections;
    }

    /** User time first, for windows from the longest to the shortest; then CPU time, and what reading costs. */
    public List<ErrorTable> tables() {
        Stream<ErrorTable> errors = Stream.of(ErrorFigure.USER, ErrorFigure.CPU)
                .flatMap(quantity -> Stream.of(ErrorWindow.values())
                        .map(window -> new ErrorTable(results, window, quantity)));
        ErrorTable cost = new ErrorTable(results, ErrorWindow.TEN_MILLISECONDS, ErrorFigure.COST);
        return Stream.concat(errors, Stream.of(cost))
                .filter(table -> !table.isEmpty())
                .toList();
    }

    private String origin() {
        return "Measured by `" + results.origin().command() + "` on " + results.origin().describe()
                + "; load average before: " + results.origin().loadBefore() + ".";
    }
}
