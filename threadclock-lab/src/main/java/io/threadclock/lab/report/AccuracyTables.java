// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Table.number;
import static io.threadclock.lab.report.Table.words;

import io.threadclock.lab.report.Errors.ErrorWindow;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The tables of a run of the laboratory. */
record AccuracyTables(Results results) {
    private static final double THOUSAND = 1000;

    /** The windows of splits that take turns, by the laboratory's names. The first that a workload has is shown. */
    private static final List<String> WINDOWS =
            List.of(Errors.PERIOD, ErrorWindow.REQUEST.over(), ErrorWindow.TEN_MILLISECONDS.over());

    /** The promises, each beside the worst value of the run. */
    Table bounds() {
        Table table = new Table(
                "The promise, and the worst that was measured",
                words("promise"),
                number("worst"),
                words("workload"),
                words("holds"));
        for (ErrorBound bound : ErrorBound.all()) {
            bound.worst(results)
                    .ifPresent(worst -> table.row(
                            bound.toString(),
                            figure(worst.statistics().get(bound.statistic())),
                            worst.subject().workload(),
                            bound.complaint(results).isEmpty() ? "yes" : "no"));
        }
        return table.note(
                "A promise counts as broken if the error is greater beyond chance, in at least five windows.");
    }

    /**
     * Tables of user time first, for windows from the longest to the shortest; then CPU time, run-queue delay, and the cost of reading.
     */
    List<Table> errors() {
        Stream<Table> errors = Stream.of(Errors.USER, Errors.CPU, Errors.WAIT)
                .flatMap(quantity -> Stream.of(ErrorWindow.values()).map(window -> errors(window, quantity)));
        Table cost = errors(ErrorWindow.TEN_MILLISECONDS, Errors.COST);
        return Stream.concat(errors, Stream.of(cost))
                .filter(table -> !table.isEmpty())
                .toList();
    }

    /** Errors of one quantity over windows of one length: a row for each workload, a column for each reader. */
    Table errors(ErrorWindow window, String quantity) {
        Errors errors = new Errors(results, window.over());
        List<String> readers = errors.readers().stream()
                .filter(reader -> errors.workloads().stream()
                        .anyMatch(workload ->
                                !error(errors, workload, reader, quantity).isEmpty()))
                .toList();
        boolean isUser = quantity.equals(Errors.USER);
        Stream<String> truth = isUser ? Stream.of("truth: user") : Stream.of();
        Table table = new Table(
                title(window, quantity),
                Table.columns("workload", Stream.concat(truth, readers.stream()).toList()));
        for (String workload : errors.workloads()) {
            List<String> cells = readers.stream()
                    .map(reader -> error(errors, workload, reader, quantity))
                    .toList();
            if (cells.stream().anyMatch(cell -> !cell.isEmpty())) {
                List<String> row = new ArrayList<>(List.of(workload));
                if (isUser) {
                    row.add(truth(workload));
                }
                row.addAll(cells);
                table.row(row);
            }
        }
        return table;
    }

    private static String title(ErrorWindow window, String quantity) {
        return switch (quantity) {
            case Errors.CPU -> "CPU time against the kernel's clock, " + window.words() + ", ns";
            case Errors.WAIT -> "Run-queue delay of threads that never sleep, " + window.words() + ", % of it";
            case Errors.COST -> "CPU time that the same work takes more, " + window.words() + ", %";
            default -> "User time, " + window.words() + ", percentage points of the CPU time";
        };
    }

    private String truth(String workload) {
        return new Errors(results, Errors.TRUTH)
                .find(workload, "-", Errors.USER_SHARE, Measurement.MEAN)
                .map(share -> String.format(Locale.ROOT, "%.1f %%", share))
                .orElse("");
    }

    /** The mean of the absolute errors, and in brackets their 95th percentile. */
    private static String error(Errors errors, String workload, String reader, String quantity) {
        Optional<Double> mean = errors.find(workload, reader, quantity, Measurement.MEAN);
        Optional<Double> p95 = errors.find(workload, reader, quantity, Errors.P95);
        return mean.map(AccuracyTables::figure).orElse("")
                + p95.map(each -> " (" + figure(each) + ")").orElse("");
    }

    /** The cost and the error of each period of {@code sampled}; empty if that was not measured. */
    Optional<Table> periods() {
        Errors periods = new Errors(results, Errors.PERIOD);
        List<String> workloads = periods.workloads();
        Table table = new Table(
                "Cost and error of each period: error of user time in points, and CPU time in addition to that of"
                        + " the split kernel",
                Table.columns("split", workloads));
        for (String reader : periods.readers()) {
            List<String> row = new ArrayList<>(List.of(reader));
            workloads.forEach(workload -> row.add(period(workload, reader)));
            table.row(row);
        }
        table.note(
                "Each cell has the mean error over windows of 10 ms (over requests of 2 ms for requests-pure), in parentheses the "
                        + "error over all windows together, and the additional CPU time that the same work takes: the median of rounds in "
                        + "which the splits take turns, ± half the interquartile range. The row kernel shows the effect of chance.");
        return table.isEmpty() ? Optional.empty() : Optional.of(table);
    }

    private String period(String workload, String reader) {
        String error = periodError(workload, reader, Measurement.MEAN)
                .map(AccuracyTables::figure)
                .orElse("–");
        String bias = periodError(workload, reader, Measurement.BIAS)
                .map(amount -> " (" + figure(Math.abs(amount)) + ")")
                .orElse("");
        Optional<Double> more = more(workload, reader, Errors.MEDIAN);
        Optional<Double> spread = more(workload, reader, Errors.SPREAD);
        String cost = more.isEmpty() || spread.isEmpty()
                ? ""
                : String.format(Locale.ROOT, ", %+.1f ± %.1f %%", more.get(), spread.get());
        return error + bias + cost;
    }

    private Optional<Double> more(String workload, String reader, String statistic) {
        return new Errors(results, Errors.PERIOD).find(workload, reader, Errors.MORE, statistic);
    }

    private Optional<Double> periodError(String workload, String reader, String statistic) {
        return WINDOWS.stream()
                .flatMap(over -> new Errors(results, over).find(workload, reader, Errors.USER, statistic).stream())
                .findFirst();
    }

    /** 0.31, 4.4, 89, 1,234. */
    static String figure(double amount) {
        double size = Math.abs(amount);
        String pattern = size < 1 ? "%.2f" : size < 10 ? "%.1f" : size < THOUSAND ? "%.0f" : "%,.0f";
        return String.format(Locale.ROOT, pattern, amount);
    }
}
