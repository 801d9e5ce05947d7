// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.harness.SetupException;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeReadCostTest {
    private static final String PRINTED =
            """
              CC src/bench/c/read_cost.c
            {"answer": {"name": "bare counter (rdtsc)", "ns": [12.50, 12.40, 15.00]}}
            {"answer": {"name": "rseq: user + CPU time", "ns": [13.10, 13.00, 16.25]}}
            """;

    @Test
    void isTheRoundsOfEachContender() {
        assertThat(NativeReadCost.parse(PRINTED))
                .containsExactly(
                        series("bare counter (rdtsc)", 12.5, 12.4, 15.0),
                        series("rseq: user + CPU time", 13.1, 13.0, 16.25));
    }

    @Test
    void isToldIfItHoldsNoMeasurement() {
        assertRefused("one\nmake: *** No rule to make target 'bench'.", "No rule to make target 'bench'");
    }

    @Test
    void isToldIfItWasCutOff() {
        assertRefused(PRINTED.substring(0, PRINTED.length() / 2), "bare counter");
    }

    private static void assertRefused(String output, String last) {
        assertThatThrownBy(() -> NativeReadCost.parse(output))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("make -C threadclock-native bench", last, "Run it by hand");
    }

    private static Series series(String contender, Double... ns) {
        return new Series(new Subject("native", "", contender, "read", null), "ns", List.of(ns));
    }
}
