// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldFolderTest {
    /** By which root chooses the next pid. */
    private static final Path LAST_PID = Path.of("/proc/sys/kernel/ns_last_pid");

    private static final int ATTEMPTS = 200; // others on this machine take pids, too

    @TempDir
    Path directory;

    @Test
    void isTheFolderThatWasOpenedWhateverHasItsNameNow() throws IOException {
        Path name = Files.createDirectory(directory.resolve("name"));
        Files.writeString(name.resolve("file"), "first");
        try (HeldFolder held = HeldFolder.of(name)) {
            Files.move(name, directory.resolve("moved"));
            Files.writeString(Files.createDirectory(name).resolve("file"), "second");
            assertThat(held.path().resolve("file")).hasContent("first");
        }
    }

    @Test
    void eachHasItsOwnDescriptors() throws IOException {
        Files.writeString(directory.resolve("file"), "here");
        HeldFolder first = HeldFolder.of(directory);
        try (HeldFolder second = HeldFolder.of(directory)) {
            assertThat(second.path()).isNotEqualTo(first.path());
            first.close();
            assertThat(second.path().resolve("file")).hasContent("here");
        }
    }

    @Test
    void followsNoLinkInIt() throws IOException {
        Files.createSymbolicLink(directory.resolve("link"), Files.createDirectory(directory.resolve("folder")));
        try (HeldFolder held = HeldFolder.of(directory);
                HeldFolder inIt = held.folder("folder")) {
            assertThat(inIt.path()).isEmptyDirectory();
            assertThatThrownBy(() -> held.folder("link")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void ofAProcessIsEmptyOnceItHasEndedThoughAnotherHasItsPid() throws IOException, InterruptedException {
        Process first = new ProcessBuilder("sleep", "600").start();
        ProcessFiles files = Proc.SYSTEM.held((int) first.pid()).orElseThrow();
        assertThat(files.words("cmdline")).containsExactly("sleep", "600");
        first.destroyForcibly().waitFor();
        Process second = another(first.pid());
        try {
            assertThat(Proc.SYSTEM.anyOf((int) first.pid()).words("cmdline")).as("who has the pid now").containsExactly("sleep", "601");
            assertThat(files.words("cmdline")).isEmpty();
            assertThat(files.status()).isEmpty();
            assertThat(files.names("task")).isEmpty();
            assertThat(Files.exists(files.root().resolve("tmp"))).isFalse();
        } finally {
            second.destroyForcibly();
        }
    }

    private static Process another(long pid) throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isWritable(LAST_PID), "pids cannot be chosen: this is not root, or " + LAST_PID + " is missing");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Files.writeString(LAST_PID, Long.toString(pid - 1));
            Process process = new ProcessBuilder("sleep", "601").start();
            if (process.pid() == pid) {
                awaitProgram(process);
                return process;
            }
            process.destroyForcibly().waitFor();
        }
        Assumptions.abort("others on this machine took the pid each time");
        return null;
    }

    /** It is a copy of this program at first. */
    private static void awaitProgram(Process process) throws InterruptedException {
        while (process.isAlive() && !Proc.SYSTEM.anyOf((int) process.pid()).words("cmdline").contains("601")) {
            Thread.sleep(1);
        }
    }
}
