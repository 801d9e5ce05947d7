// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.lab.report.ErrorBound;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
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

    @TestFactory
    Stream<DynamicTest> keepsWhatTheDocumentPromises() {
        Path home = Path.of("..").toAbsolutePath().normalize();
        Results all = new Accuracy.Laboratory(home).measure(true, "accuracy --quick");
        Results results = ofEnoughErrors(all);
        return ErrorBound.all().stream()
                .map(bound -> DynamicTest.dynamicTest(bound.toString(), () -> {
                    assumeThat(bound.worst(results).isPresent()
                                    || bound.worst(all).isEmpty())
                            .as("a workload with %d errors or more: others have the CPUs", FEWEST_ERRORS)
                            .isTrue();
                    assertThat(bound.times(SLACK).complaint(results))
                            .as("promise broken; what the laboratory said: %s", results.notes())
                            .isEmpty();
                }));
    }

    private static Results ofEnoughErrors(Results all) {
        return all.with(all.measurements().stream()
                .filter(each -> each.samples() >= FEWEST_ERRORS)
                .toList());
    }
}
