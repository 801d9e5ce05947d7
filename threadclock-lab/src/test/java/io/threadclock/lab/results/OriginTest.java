// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class OriginTest {
    private static final String X86 =
            """
            processor\t: 0
            model name\t: AMD EPYC 9R45
            flags\t\t: fpu tsc hypervisor lahf_lm
            processor\t: 1
            model name\t: AMD EPYC 9R45
            """;

    @Test
    void describesTheMachineInOneLine() {
        assertThat(Origin.of(X86, "6.18.2\n", 2, OptionalLong.of(250)).describe())
                .matches("AMD EPYC 9R45 \\(virtual machine\\), 2 CPUs, Linux 6\\.18\\.2, HZ=250, \\d{4}-\\d\\d-\\d\\d");
    }

    @Test
    void leavesOutATickThatCouldNotBeMeasured() {
        assertThat(Origin.of(X86, "6.18.2\n", 1, OptionalLong.empty()).describe())
                .doesNotContain("HZ")
                .contains(", 1 CPU, ");
    }

    @Test
    void fallsBackToTheArchitectureWhereTheCpuHasNoName() {
        assertThat(Origin.of("", "6.1", 4, OptionalLong.empty()).cpuModel()).isEqualTo(System.getProperty("os.arch"));
    }
}
