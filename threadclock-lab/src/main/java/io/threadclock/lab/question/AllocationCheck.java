// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks that no read path of the library allocates. JMH itself allocates some 6 KB in each iteration, which is 0.03 B
 * for each of the 200,000 reads that the slowest source does in the shortest iteration. An object has 16 B, at the very
 * least 8.
 */
public final class AllocationCheck {
    /** A path that allocates by contract. If it seems not to, nothing has been measured. */
    static final String CONTROL = "control";

    /** This bound detects one object in 320 reads. */
    static final double BOUND_BYTES = 0.05;

    private static final double LEAST_OBJECT_BYTES = 8;

    private AllocationCheck() {}

    /**
     * The breach, in one line that names the paths; empty if there is none.
     *
     * @param series of any benchmark, as {@link JmhReadCost} has measured them
     */
    public static Optional<String> complaint(List<Measurement> series) {
        String allocating = series.stream()
                .filter(each -> each.subject().benchmark().equals(Benchmarks.JMH_ALLOCATION))
                .filter(each -> isBreach(each.rounds()))
                .map(AllocationCheck::describe)
                .collect(Collectors.joining(", "));
        return allocating.isEmpty()
                ? Optional.empty()
                : Optional.of("Measuring what a read allocates, which must be nothing: " + allocating
                        + ". Find it with an allocation profiler, and take it out of the read path.");
    }

    /** Takes the least of the iterations, because other allocations in the JVM add to some of them. */
    static boolean isBreach(List<Double> bytes) {
        return bytes.stream().allMatch(each -> each >= BOUND_BYTES);
    }

    /** Whether the control was seen to allocate. */
    static boolean isLive(Measurement control) {
        return control.spread().least() >= LEAST_OBJECT_BYTES;
    }

    private static String describe(Measurement series) {
        Subject subject = series.subject();
        return String.format(
                Locale.ROOT,
                "%s by %s on JDK %s allocates %.2f B",
                subject.quantity(),
                subject.contender(),
                subject.jdk(),
                series.spread().least());
    }
}
