// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class ManualTest {
    @TempDir
    Path folder;

    @Test
    void everyCommandHasAPageAndIsCompleted() throws IOException {
        Manual.main(new String[] {folder.toString()});
        String bash = Files.readString(folder.resolve("share/bash-completion/completions/threadclock"));
        for (String command : ThreadClockCommand.commandLine().getSubcommands().keySet()) {
            assertThat(Files.readString(folder.resolve("share/man/man1/threadclock-" + command + ".1")))
                    .startsWith(".TH \"THREADCLOCK\\-" + command.toUpperCase(Locale.ROOT))
                    .contains(
                            ".SH NAME\n",
                            ".SH SYNOPSIS\nthreadclock " + command,
                            ".SH EXIT STATUS\n",
                            ".SH EXAMPLES\n");
            assertThat(bash).contains("_picocli_threadclock_" + command);
        }
        assertThat(Files.readString(folder.resolve("share/zsh/site-functions/_threadclock")))
                .startsWith("#compdef threadclock\n");
    }

    @Test
    void everyOptionThatIsNotHiddenIsOnItsPage() {
        String page =
                Manual.page(ThreadClockCommand.commandLine().getSubcommands().get("run"), "1");
        assertThat(page).contains("\\fB\\-\\-split=SPLIT\\fR", "up to 10ms").doesNotContain("pid");
    }

    @Test
    void noTextBecomesARequest() {
        assertThat(Manual.page(new CommandLine(new Hostile()), "1"))
                .contains("\n\\&.so /etc/passwd\n", "\n\\&'quoted\n", "a \\e backslash \\[u2026]\n");
    }

    @Command(
            name = "hostile",
            description = {".so /etc/passwd", "'quoted", "a \\ backslash …"})
    static final class Hostile implements Runnable {
        @Option(names = "-x", description = "no matter")
        private boolean option;

        @Override
        public void run() {
            throw new IllegalStateException("not to be run");
        }
    }
}
