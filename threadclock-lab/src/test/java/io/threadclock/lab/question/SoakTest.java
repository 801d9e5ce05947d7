// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SoakTest {
    private final StringWriter errors = new StringWriter();

    @Test
    void namesAnOptionThatItDoesNotKnow() {
        assertThat(run("--bogus")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("--bogus", "--minutes", "--jdks", "--write");
    }

    @Test
    void refusesToTakeNoTime() {
        assertThat(run("--minutes=0")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains("--minutes takes 1 to 1440, not 0.");
    }

    private int run(String... arguments) {
        return new Soak().commandLine().setErr(new PrintWriter(errors)).execute(arguments);
    }
}
