// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProfiledEngineTest {
    private static final List<String> NONE = List.of("CapPrm:\t000001ffffffffff", "CapEff:\t0000000000000000");

    @Test
    void includesTheKernelForEverybodyBelowTwo() {
        assertThat(ProfiledEngine.PerfPermission.includesKernel("1", NONE)).isTrue();
        assertThat(ProfiledEngine.PerfPermission.includesKernel("-1", NONE)).isTrue();
    }

    @Test
    void includesTheKernelForThePrivilegedAlone() {
        assertThat(ProfiledEngine.PerfPermission.includesKernel("2", NONE)).isFalse();
        assertThat(ProfiledEngine.PerfPermission.includesKernel("2", List.of("CapEff:\t0000004000000000")))
                .isTrue();
        assertThat(ProfiledEngine.PerfPermission.includesKernel("4", List.of("CapEff:\t0000000000200000")))
                .isTrue();
        assertThat(ProfiledEngine.PerfPermission.includesKernel("4", List.of("CapEff:\t0000000000000001")))
                .isFalse();
    }
}
