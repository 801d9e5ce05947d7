// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a terminal of script(1). Each stream decides by itself what it gets. */
@Timeout(600)
class TerminalTest {
    private static final String ERASE_LINE = "\u001b[K";

    @TempDir
    Path directory;

    @BeforeAll
    static void needsScript() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "script(1) of util-linux is not here");
    }

    @Test
    void progressStaysOutOfAFileThatStandardErrorGoesTo() throws Exception {
        Path err = directory.resolve("err");
        onTerminal("doctor 2>" + err);
        assertThat(Files.readString(err)).startsWith("threadclock: ").doesNotContain(ERASE_LINE);
    }

    @Test
    void progressIsShownWhereStandardOutputAloneGoesToAFile() throws Exception {
        assertThat(onTerminal("doctor >" + directory.resolve("out"))).contains(ERASE_LINE + "looking");
    }

    @Test
    void helpIsAsWideAsTheTerminal() throws Exception {
        assertThat(onTerminal("help", 60).lines()).allMatch(line -> line.length() <= 60);
        assertThat(onTerminal("help", 95).lines())
                .anyMatch(line -> line.length() > 80)
                .allMatch(line -> line.length() <= 95);
    }

    private String onTerminal(String words) throws Exception {
        return onTerminal(words, 80);
    }

    /** Runs without a library, so that nothing is examined. */
    private String onTerminal(String words, int columns) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin/java")
                + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '"
                + System.getProperty("java.class.path") + "'";
        String command =
                "stty cols " + columns + "; exec " + java + " " + ThreadClockCommand.class.getName() + " " + words;
        ProcessBuilder script = new ProcessBuilder("script", "-qec", command, "/dev/null")
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        List.of("THREADCLOCK_LIBRARY", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")
                .forEach(script.environment()::remove);
        script.environment().put("SHELL", "/bin/sh");
        Process process = script.start();
        String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return shown.replace("\r\n", "\n").replaceAll("\u001b\\[\\d*m", "");
    }
}
