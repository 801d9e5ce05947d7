// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.harness.SetupException;
import io.threadclock.harness.Spread;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NativeCostTest {
    private static final String PRINTED =
            """
              CC src/bench/c/read_cost.c
            {"rounds": 31, "rows": [
              {"name": "bare counter (rdtsc)", "ns": 12.50, "min": 12.40, "max": 15.00, "ratio": 1.000},
              {"name": "rseq: user + CPU time", "ns": 13.10, "min": 13.00, "max": 16.25, "ratio": 1.048}
            ]}
            """;

    @Test
    void readsARowOfWhatMakeBenchPrints() {
        assertThat(NativeCost.parse(PRINTED))
                .contains(new NativeCost("rseq: user + CPU time", new Spread(13.1, 13, 16.25), 1.048));
    }

    @Test
    void findsARowByHowItBegins() {
        assertThat(NativeBench.measurementIn(PRINTED).cost("rseq:")).map(NativeCost::source).contains("rseq");
    }

    @Test
    void knowsTheRoundsAndTheCounter() {
        NativeMeasurement measurement = NativeBench.measurementIn(PRINTED);
        assertThat(measurement.rounds()).isEqualTo(31);
        assertThat(measurement.counterNs()).isEqualTo(new Spread(12.5, 12.4, 15));
    }

    @Test
    void hasNoRowForASourceThatWasRefused() {
        assertThat(NativeBench.measurementIn(PRINTED).cost("perf:")).isEmpty();
    }

    @Test
    void tellsWhatMakeSaidIfItMeasuredNothing() {
        assertThatThrownBy(() -> NativeBench.measurementIn("one\nmake: *** No rule to make target 'bench'."))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll("make -C threadclock-native bench", "No rule to make target 'bench'");
    }

    @Test
    void isBuiltByTheCompilerThatTheEnvironmentNames() {
        assertThat(NativeBench.compiler(Map.of("CC", "clang-15 -m64", "PATH", ""))).isEqualTo("clang-15 -m64");
    }

    @Test
    void isBuiltByClangWhereThereIsNoGcc() {
        assertThat(NativeBench.compiler(Map.of("PATH", "/nowhere:/nowhere/else"))).isEqualTo("clang");
    }
}
