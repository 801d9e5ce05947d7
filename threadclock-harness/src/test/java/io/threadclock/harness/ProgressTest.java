// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);

    @TempDir
    Path directory;

    @Test
    void isOneLineForEachStageWhereThereIsNoTerminal() {
        try (Progress progress = new Progress(out, false)) {
            progress.stage("first");
            progress.step("1 of 2");
            progress.stage("second");
        }
        assertThat(text()).isEqualTo("first\nsecond\n");
    }

    @Test
    void isWrittenOverItselfOnATerminal() {
        try (Progress progress = new Progress(out, true)) {
            progress.stage("first");
            progress.step("1 of 2");
        }
        assertThat(text()).isEqualTo("\r\033[Kfirst\r\033[Kfirst: 1 of 2\r\033[K");
    }

    @Test
    void neverWrapsOnATerminal() {
        new Progress(out, true).stage("x".repeat(200));
        assertThat(text().replace("\r\033[K", "")).hasSizeLessThan(80).endsWith("…");
    }

    @Test
    void takesAPseudoTerminalForATerminal() throws IOException {
        Path descriptor = Files.createSymbolicLink(directory.resolve("2"), Path.of("/dev/pts/0"));
        assertThat(Progress.isTerminal(descriptor, Map.of("TERM", "xterm"))).isTrue();
        assertThat(Progress.isTerminal(descriptor, Map.of("TERM", "dumb"))).isFalse();
    }

    @Test
    void takesAFileOrAPipeForNone() throws IOException {
        Path descriptor = Files.createSymbolicLink(directory.resolve("2"), Path.of("pipe:[4711]"));
        assertThat(Progress.isTerminal(descriptor, Map.of("TERM", "xterm"))).isFalse();
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
