// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.lab.report.ErrorBound;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** The laboratory's short run, on this machine as it is. */
@DisabledIfSystemProperty(named = "threadclock.brief", matches = ".*", disabledReason = "a run in full")
class AccuracyIT {
    /** Few windows, on a machine that others share: a third of what is promised would be missed by luck. */
    private static final double SLACK = 3;

    /** The mean of fewer errors says nothing. On a busy machine a workload completes only one or two windows. */
    private static final int FEWEST_ERRORS = 5;

    private static final Set<String> FOLLOW_TICKS = Set.of("smoothed", "kernel");

    @TestFactory
    Stream<DynamicTest> keepsWhatTheDocumentPromises() {
        Path home = Path.of("..").toAbsolutePath().normalize();
        Results all = new Accuracy.Laboratory(home).measure(true, "accuracy --quick");
        return ErrorBound.all().stream()
                .map(promise -> DynamicTest.dynamicTest(promise.toString(), () -> {
                    ErrorBound bound = promise.times(SLACK);
                    Results results = reliable(all, bound.most() / 2);
                    assumeThat(bound.worst(results).isPresent()
                                    || bound.worst(all).isEmpty())
                            .as(
                                    "a workload with %d errors or more whose ticks are right within %s:"
                                            + " others have the CPUs",
                                    FEWEST_ERRORS, bound.most() / 2)
                            .isTrue();
                    assertThat(bound.complaint(results))
                            .as("promise broken; what the laboratory said: %s", results.notes())
                            .isEmpty();
                }));
    }

    /**
     * A split that follows the ticks tells what they have told. Where the host takes the CPU away, more of them find
     * the kernel: then the kernel's own count in the same windows is off by as much, and the error is the host's.
     */
    private static Results reliable(Results all, double mostByTicks) {
        return all.with(all.measurements().stream()
                .filter(each -> each.samples() >= FEWEST_ERRORS)
                .filter(each -> !FOLLOW_TICKS.contains(each.subject().contender())
                        || Math.abs(each.statistic("ticks").orElse(0.0)) <= mostByTicks)
                .toList());
    }
}
