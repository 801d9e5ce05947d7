// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.NativeMake;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KernelClockTest {
    @Test
    void looksAtTheCallingThreadThroughTheLibraryThatMakeBuilds() {
        System.setProperty(
                KernelClock.FILE_PROPERTY,
                new NativeMake(Path.of("..")).bareClocks().toAbsolutePath().toString());
        KernelClock.load();
        KernelClock.Look first = KernelClock.look();
        KernelClock.Look second = KernelClock.look();
        assertThat(second.cpuNs()).isGreaterThanOrEqualTo(first.cpuNs());
        assertThat(second.wallBeforeNs()).isGreaterThanOrEqualTo(first.wallAfterNs());
    }
}
