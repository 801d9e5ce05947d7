// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NativeMakeTest {
    @Test
    void buildsByTheCompilerThatTheEnvironmentNames() {
        assertThat(NativeMake.compiler(Map.of("CC", "clang-15 -m64", "PATH", "")))
                .isEqualTo("clang-15 -m64");
    }

    @Test
    void buildsByClangWhereThereIsNoGcc() {
        assertThat(NativeMake.compiler(Map.of("PATH", "/nowhere:/nowhere/else")))
                .isEqualTo("clang");
    }
}
