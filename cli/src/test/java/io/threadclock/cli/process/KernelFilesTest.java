// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KernelFilesTest {
    @Test
    void aNumberOfTheKernelIsReadAsAWhole() throws IOException {
        Path file = Path.of("/proc/sys/kernel/pid_max");
        try (var lines = Files.newBufferedReader(file)) {
            assertThat(KernelFiles.SYSTEM.number(file.toString().substring(1)))
                    .hasValue(Long.parseLong(lines.readLine()));
        }
    }

    @Test
    void whatDoesNotEndIsCut() {
        assertThat(KernelFiles.read(Path.of("/dev/zero")).orElseThrow().length())
                .isBetween(1 << 26, 1 << 27);
    }
}
