// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import io.threadclock.lab.results.AccuracyResults;
import io.threadclock.lab.results.ErrorFigure;
import io.threadclock.harness.Section;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What each period of {@code sampled} costs, and how far it is off: a row for each split, a column for each workload.
 * The splits that have no period go by their errors over the same windows elsewhere in the run.
 */
public record PeriodTable(AccuracyResults results) {
    /** What the errors are of, as the laboratory calls it; the first that a workload has. */
    private static final List<String> WINDOWS =
            List.of(ErrorFigure.PERIOD, ErrorWindow.REQUEST.over(), ErrorWindow.TEN_MILLISECONDS.over());

    public boolean isEmpty() {
        return results.of(ErrorFigure.PERIOD).isEmpty();
    }

    public String title() {
        return "Cost and error of each period: error of user time in points, and CPU time in addition to that of"
                + " the split kernel";
    }

    /** How its cells are to be read. */
    public String key() {
        return "Each cell has the mean error over windows of 10 ms (over requests of 2 ms for requests-pure), in parentheses the "
                + "error over all windows together, and the additional CPU time that the same work takes: the median of rounds in "
                + "which the splits take turns, ± half the interquartile range. The row kernel shows the effect of chance.";
    }

    /** The first names the rows. */
    public List<String> columns() {
        return Stream.concat(Stream.of("split"), results.workloads(ErrorFigure.PERIOD).stream())
                .toList();
    }

    public List<List<String>> rows() {
        return results.readers(ErrorFigure.PERIOD).stream().map(this::row).toList();
    }

    private List<String> row(String reader) {
        List<String> row = new ArrayList<>(List.of(reader));
        results.workloads(ErrorFigure.PERIOD).forEach(workload -> row.add(cell(workload, reader)));
        return row;
    }

    private String cell(String workload, String reader) {
        String error = error(workload, reader, ErrorFigure.MEAN)
                .map(ErrorTable::figure)
                .orElse("–");
        String bias = error(workload, reader, ErrorFigure.BIAS)
                .map(amount -> " (" + ErrorTable.figure(Math.abs(amount)) + ")")
                .orElse("");
        return error + bias + cost(workload, reader);
    }

    private String cost(String workload, String reader) {
        Optional<Double> more = more(workload, reader, ErrorFigure.MEDIAN);
        Optional<Double> spread = more(workload, reader, ErrorFigure.SPREAD);
        return more.isEmpty() || spread.isEmpty()
                ? ""
                : String.format(Locale.ROOT, ", %+.1f ± %.1f %%", more.get(), spread.get());
    }

    private Optional<Double> more(String workload, String reader, String statistic) {
        return results.amount(workload, ErrorFigure.PERIOD, reader, ErrorFigure.MORE, statistic);
    }

    private Optional<Double> error(String workload, String reader, String statistic) {
        return WINDOWS.stream()
                .flatMap(over -> results.amount(workload, over, reader, ErrorFigure.USER, statistic).stream())
                .findFirst();
    }

    Section section() {
        List<String> titles = columns();
        TextTable table = new TextTable(titles.stream()
                .map(title -> title.equals(titles.get(0)) ? TextTable.left(title) : TextTable.right(title))
                .toArray(TextTable.Column[]::new));
        rows().forEach(row -> table.row(row.toArray(String[]::new)));
        return new Section(title(), table, List.of(key()));
    }
}
