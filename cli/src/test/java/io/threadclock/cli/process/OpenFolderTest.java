// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFolderTest {
    /** The file by which root chooses the next pid. */
    private static final Path LAST_PID = Path.of("/proc/sys/kernel/ns_last_pid");

    private static final int ATTEMPTS = 200; // others on this machine take pids, too

    @TempDir
    Path root;

    @Test
    void itStaysTheSameWhateverBecomesOfItsName() throws IOException {
        Path tmp = Files.createDirectory(root.resolve("tmp"));
        Files.writeString(tmp.resolve("file"), "this one");
        Path folder = OpenFolder.of(tmp).path();
        Files.move(tmp, root.resolve("moved"));
        Files.createDirectory(tmp);
        assertThat(folder.resolve("file")).hasContent("this one");
    }

    @Test
    void twoOfOneFolderAreHeldOneByOne() throws IOException {
        assertThat(OpenFolder.of(root).path()).isNotEqualTo(OpenFolder.of(root).path());
    }

    @Test
    void ofAProcessIsEmptyOnceItHasEndedThoughAnotherHasItsPid() throws IOException, InterruptedException {
        Process first = new ProcessBuilder("sleep", "600").start();
        awaitProgram(first, "600");
        ProcessFiles files = Proc.SYSTEM.held((int) first.pid()).orElseThrow();
        assertThat(files.words("cmdline")).containsExactly("sleep", "600");
        first.destroyForcibly().waitFor();
        Process second = another(first.pid());
        try {
            assertThat(Proc.SYSTEM.anyOf((int) first.pid()).words("cmdline"))
                    .as("who has the pid now")
                    .containsExactly("sleep", "601");
            assertThat(files.words("cmdline")).isEmpty();
            assertThat(files.status()).isEmpty();
            assertThat(files.names("task")).isEmpty();
            assertThat(Files.exists(files.root().resolve("tmp"))).isFalse();
        } finally {
            second.destroyForcibly();
        }
    }

    private static Process another(long pid) throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Files.isWritable(LAST_PID), "pids cannot be chosen: this is not root, or " + LAST_PID + " is missing");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Files.writeString(LAST_PID, Long.toString(pid - 1));
            Process process = new ProcessBuilder("sleep", "601").start();
            if (process.pid() == pid) {
                awaitProgram(process, "601");
                return process;
            }
            process.destroyForcibly().waitFor();
        }
        Assumptions.abort("others on this machine took the pid each time");
        return null;
    }

    /** At first the process is a copy of this program, and then a program whose words the kernel does not have yet. */
    private static void awaitProgram(Process process, String word) throws InterruptedException {
        while (process.isAlive()
                && !Proc.SYSTEM.anyOf((int) process.pid()).words("cmdline").contains(word)) {
            Thread.sleep(1);
        }
    }
}
