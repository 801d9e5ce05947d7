// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Tests real processes of user nobody, which become another user's while root examines them. */
class ConfirmedTargetTest {
    private static final String NOBODY = "65534";

    @TempDir(factory = ForEverybody.class)
    Path directory;

    @Test
    void oneThatBecomesRootsByASetuidProgramIsRefused() throws Exception {
        Process process = nobodys(setuidSleep());
        try {
            Target target = Target.outside(Proc.SYSTEM, (int) process.pid());
            assertThatNoException().isThrownBy(target::confirm);
            assertThat(target.status().uid()).isEqualTo(Integer.parseInt(NOBODY));
            process.getOutputStream().close();
            while (process.isAlive() && target.files().status().orElseThrow().uid() != 0) {
                Thread.sleep(1);
            }
            assertThat(target.files().status().orElseThrow().uid())
                    .as("its user now")
                    .isZero();
            assertThat(Documented.refusal(target::confirm))
                    .hasMessageContaining("another user's while it was looked at");
            Target anew = target.again();
            assertThat(Documented.refusal(anew::confirm)).hasMessageContaining("the rights of several users");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Starts a process that waits for the end of its input, and then becomes that program. */
    private static Process nobodys(Path program) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + NOBODY,
                        "--regid=" + NOBODY,
                        "--clear-groups",
                        "sh",
                        "-c",
                        "echo; read x; exec " + program + " 600")
                .start();
        Assumptions.assumeTrue(
                process.getInputStream().read() >= 0, "nothing can be run as user nobody: this is not root");
        return process;
    }

    /** The directory for temporary files may be in one that nobody may enter. */
    static final class ForEverybody implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Path.of("/var/tmp"), "threadclock-");
        }
    }

    private Path setuidSleep() throws IOException, InterruptedException {
        Path sleep = Files.copy(Path.of("/bin/sleep"), directory.resolve("sleep"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        Files.setAttribute(sleep, "unix:mode", 04755);
        boolean isRoots = Integer.valueOf(0).equals(Files.getAttribute(sleep, "unix:uid"));
        Assumptions.assumeTrue(isRoots, "this is not root");
        Process mounted = new ProcessBuilder("findmnt", "-n", "-o", "OPTIONS", "-T", sleep.toString()).start();
        String options = new String(mounted.getInputStream().readAllBytes());
        Assumptions.assumeFalse(options.contains("nosuid"), directory + " is mounted nosuid");
        return sleep;
    }
}
