// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.TimeSplit;
import io.threadclock.lab.report.Errors.ErrorWindow;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Results;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The promised bound of an error. Every run of the laboratory is compared with it.
 *
 * @param reader the reader whose error it is
 * @param quantity {@link Errors#USER}, {@link Errors#CPU} or {@link Errors#WAIT}
 * @param statistic the statistic of the errors
 * @param most the bound, in the quantity's unit
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
    private static final double MOST_CPU_NS = 50_000;
    private static final double MOST_WAIT_PERCENT = 2;

    /** Fewer windows, as a quick run has of some workloads, tell nothing. */
    private static final int FEWEST_WINDOWS = 5;

    /** Nothing but system calls or page faults, or half of it in rounds of 2 µs: the ways in and out weigh most. */
    private static final Set<String> CALLS = Set.of("getppid", "pread", "write", "mmap", "mix-2us");
    /** In step with no tick, and the same all the time: what is steered by ticks needs that. */
    private static final Set<String> STEADY = Set.of("spin", "mix-2us", "mix-50us", "requests-alike");
    /** In step with the tick: what is steered by ticks needs samples there. */
    private static final Set<String> IN_STEP = Set.of("on-tick", "off-tick", "user-on-tick");
    /** More of them than there are CPUs: the stretches between two switches are short. */
    private static final Set<String> CROWDED = Set.of("eight-threads");

    private static final Set<String> ALL = Set.of();

    /** All of them; docs/accuracy.md has them beside what a run has measured. */
    public static List<ErrorBound> all() {
        return List.of(
                user(TimeSplit.SMOOTHED, ErrorWindow.SECOND, 6, STEADY, ALL),
                user(TimeSplit.SMOOTHED, ErrorWindow.SECOND, 10, IN_STEP, ALL),
                user(TimeSplit.SMOOTHED, ErrorWindow.TEN_MILLISECONDS, 2, Set.of("spin"), ALL),
                user(TimeSplit.SMOOTHED, ErrorWindow.TEN_MILLISECONDS, 9, STEADY, ALL),
                user(TimeSplit.SMOOTHED, ErrorWindow.REQUEST, 9, Set.of("requests-alike"), ALL),
                user(TimeSplit.KERNEL, ErrorWindow.SECOND, 7, STEADY, ALL),
                user(TimeSplit.KERNEL, ErrorWindow.TEN_MILLISECONDS, 2, Set.of("spin"), ALL),
                user(TimeSplit.SAMPLED, ErrorWindow.SECOND, 5, ALL, CALLS),
                user(TimeSplit.SAMPLED, ErrorWindow.SECOND, 12, CALLS, ALL),
                user(TimeSplit.SAMPLED, ErrorWindow.TEN_MILLISECONDS, 5, ALL, union(CALLS, CROWDED)),
                user(TimeSplit.SAMPLED, ErrorWindow.TEN_MILLISECONDS, 8, CROWDED, ALL),
                user(TimeSplit.SAMPLED, ErrorWindow.TEN_MILLISECONDS, 12, CALLS, ALL),
                user(TimeSplit.SAMPLED, ErrorWindow.REQUEST, 5, ALL, ALL),
                user(TimeSplit.SAMPLED, ErrorWindow.THREAD, 5, ALL, ALL),
                cpu(ErrorWindow.SECOND),
                cpu(ErrorWindow.TEN_MILLISECONDS),
                cpu(ErrorWindow.REQUEST),
                cpu(ErrorWindow.THREAD),
                new ErrorBound("waits", ErrorWindow.WALL, Errors.WAIT, Errors.P95, MOST_WAIT_PERCENT, ALL, ALL));
    }

    private static ErrorBound user(
            TimeSplit split, ErrorWindow window, double most, Set<String> workloads, Set<String> except) {
        return new ErrorBound(reader(split), window, Errors.USER, Measurement.MEAN, most, workloads, except);
    }

    private static String reader(TimeSplit split) {
        return split.name().toLowerCase(Locale.ROOT);
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        return Stream.concat(some.stream(), others.stream()).collect(Collectors.toUnmodifiableSet());
    }

    /** The counter counts the time that the hypervisor takes away, and the kernel may not, for one window at most. */
    private static ErrorBound cpu(ErrorWindow window) {
        return new ErrorBound(reader(TimeSplit.SMOOTHED), window, Errors.CPU, Measurement.MEAN, MOST_CPU_NS, ALL, ALL);
    }

    /** The same bound, this many times as wide. */
    public ErrorBound times(double slack) {
        return new ErrorBound(reader, window, quantity, statistic, slack * most, workloads, except);
    }

    /** The greatest of the errors to which it applies; empty if the run has none. */
    public Optional<Measurement> worst(Results results) {
        Errors errors = new Errors(results, window.over());
        if (workloads.equals(IN_STEP) && !errors.readers().contains(reader(TimeSplit.SAMPLED))) {
            return Optional.empty();
        }
        return errors.all().stream()
                .filter(error -> error.subject().contender().equals(reader))
                .filter(error -> error.subject().quantity().equals(quantity))
                .filter(error -> error.samples() >= FEWEST_WINDOWS)
                .filter(error -> error.statistic(statistic).isPresent())
                .filter(error -> workloads.isEmpty()
                        || workloads.contains(error.subject().workload()))
                .filter(error -> !except.contains(error.subject().workload()))
                .max(Comparator.comparingDouble(this::certain));
    }

    /** The error, less what a mean owes to chance in 39 of 40 runs. */
    private double certain(Measurement error) {
        boolean isMean = statistic.equals(Measurement.MEAN);
        return size(error) - (isMean ? error.statistic(Measurement.CHANCE).orElse(0.0) : 0);
    }

    private double size(Measurement error) {
        return Math.abs(error.statistics().get(statistic));
    }

    /** One line that names the workload, the figure and the bound; empty if it holds, or nothing was measured. */
    public Optional<String> complaint(Results results) {
        return worst(results)
                .filter(worst -> !(certain(worst) <= most))
                .map(worst -> worst.subject().workload() + ": " + this + ", but was "
                        + AccuracyTables.figure(worst.statistics().get(statistic)));
    }

    @Override
    public String toString() {
        String unit = quantity.equals(Errors.CPU) ? " ns" : " points";
        return statistic + " error of " + quantity + " time by " + reader + " " + window.words() + " ≤ "
                + AccuracyTables.figure(most) + unit + which();
    }

    private String which() {
        if (!workloads.isEmpty()) {
            return ": " + named(workloads);
        }
        return except.isEmpty() ? "" : ": all but " + named(except);
    }

    private static String named(Set<String> workloads) {
        return workloads.stream().sorted().collect(Collectors.joining(", "));
    }
}
