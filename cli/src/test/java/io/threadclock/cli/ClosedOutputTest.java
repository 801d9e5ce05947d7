// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose standard output cannot be written, each in a process of its own. */
@Timeout(600)
class ClosedOutputTest {
    @ParameterizedTest
    @ValueSource(strings = {"help", "top --help", "--version", "doctor --json", "top -b -d 0.1s --no-attach"})
    void endsACommandQuietly(String words) throws Exception {
        Process command = afterALine("exec java", words);
        command.getInputStream().close();
        assertThat(endOf(command)).as("message").isEmpty();
        assertThat(command.waitFor()).as("exit status").isEqualTo(128 + 13);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "doctor --json", "top -b -d 0.1s --no-attach"})
    void aFullFileIsAFailureInOneLine(String words) throws Exception {
        Process command = afterALine("exec >/dev/full java", words);
        assertThat(endOf(command)).hasLineCount(1).startsWith("threadclock: printing: standard output cannot be");
        assertThat(command.waitFor()).as("exit status").isEqualTo(1);
    }

    /**
     * The command does not begin before its standard output is as the test wants it. A command about a JVM is about
     * this one.
     */
    private static Process afterALine(String exec, String words) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin/java")
                + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp '"
                + System.getProperty("java.class.path") + "' " + ThreadClockCommand.class.getName();
        String pid = words.startsWith("top") ? " " + ProcessHandle.current().pid() : "";
        ProcessBuilder shell =
                new ProcessBuilder("sh", "-c", "read -r go; " + exec.replace("java", java) + " " + words + pid);
        shell.environment()
                .keySet()
                .removeIf(name -> name.endsWith("_JAVA_OPTIONS") || name.equals("JAVA_TOOL_OPTIONS"));
        return shell.start();
    }

    private static String endOf(Process command) throws IOException {
        try (OutputStream line = command.getOutputStream()) {
            line.write('\n');
        }
        return new String(command.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
