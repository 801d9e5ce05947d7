// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MachineTest {
    private static final LocalDate DATE = LocalDate.of(2026, 11, 21);
    private static final String X86 =
            """
            processor\t: 0
            model name\t: AMD EPYC 9R45
            flags\t\t: fpu tsc hypervisor lahf_lm
            processor\t: 1
            model name\t: AMD EPYC 9R45
            """;

    @Test
    void describesItselfInOneLine() {
        Machine machine = Machine.of(X86, "6.18.2\n", 2, OptionalLong.of(250), DATE);
        assertThat(machine.describe(List.of(new Jdk(Path.of("/jdk"), "25.0.1", "Test"))))
                .isEqualTo(
                        "AMD EPYC 9R45 (virtual machine), 2 CPUs, Linux 6.18.2, HZ=250, JDK 25.0.1 (Test), 2026-11-21");
    }

    @Test
    void leavesOutATickThatCouldNotBeMeasured() {
        Machine machine = Machine.of(X86, "6.18.2\n", 1, OptionalLong.empty(), DATE);
        assertThat(machine.describe(List.of())).doesNotContain("HZ").contains(", 1 CPU, ");
    }

    @Test
    void fallsBackToTheArchitectureWhereTheCpuHasNoName() {
        assertThat(Machine.of("", "6.1", 4, OptionalLong.empty(), DATE).cpuModel())
                .isEqualTo(System.getProperty("os.arch"));
    }
}
