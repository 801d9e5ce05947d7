// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.benchmarks.results.AccuracyResults;
import io.threadclock.benchmarks.tables.ErrorBound;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The laboratory's short run, on this machine as it is. */
class AccuracyIT {
    /** Few windows, on a machine that others share: a third of what is promised would be missed by luck. */
    private static final double SLACK = 3;

    @TestFactory
    Stream<DynamicTest> keepsWhatTheDocumentPromises() {
        Path home = Path.of("..").toAbsolutePath().normalize();
        AccuracyResults results = new Laboratory(home).measure(true, "accuracy --quick");
        return ErrorBound.all().stream()
                .map(bound -> DynamicTest.dynamicTest(bound.toString(), () -> assertThat(bound.times(SLACK).complaint(results))
                        .as("promise broken; what the laboratory said: %s", results.notes())
                        .isEmpty()));
    }
}
