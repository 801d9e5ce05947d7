// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
        try (OpenFolder folder = OpenFolder.of(root, Path.of("tmp"))) {
            Files.move(tmp, root.resolve("moved"));
            Files.createDirectory(tmp);
            assertThat(folder.path("file")).hasContent("this one");
        }
    }

    @Test
    void noLinkLeadsToIt() throws IOException {
        Path elsewhere = Files.createDirectories(root.resolve("elsewhere/tmp"));
        Files.createSymbolicLink(root.resolve("tmp"), elsewhere);
        Files.createSymbolicLink(root.resolve("var"), elsewhere.getParent());
        assertThatThrownBy(() -> OpenFolder.of(root, Path.of("tmp"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> OpenFolder.of(root, Path.of("var/tmp"))).isInstanceOf(IOException.class);
    }

    /** Nobody writes to the pipe, so opening it would never end. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeInItsPlaceIsNotWaitedFor() throws Exception {
        new ProcessBuilder("mkfifo", root.resolve("tmp").toString()).start().waitFor();
        assertThatThrownBy(() -> OpenFolder.of(root, Path.of("tmp"))).isInstanceOf(IOException.class);
    }

    @Test
    void twoOfOneFolderAreHeldOneByOne() throws IOException {
        Files.createFile(root.resolve("file"));
        try (OpenFolder one = OpenFolder.of(root)) {
            OpenFolder.of(root).close();
            assertThat(one.facts("file").isRegular()).isTrue();
        }
    }

    @Test
    void whatLiesInItIsToldOfALinkItself() throws IOException {
        Files.createSymbolicLink(root.resolve("link"), root);
        try (OpenFolder folder = OpenFolder.of(root)) {
            assertThat(folder.facts("link").isFolder()).isFalse();
            assertThat(folder.facts().isFolder()).isTrue();
        }
    }

    @Test
    void noMoreNamesAreReadThanWereAskedFor() throws IOException {
        for (int i = 0; i < 5; i++) {
            Files.createFile(root.resolve("name" + i));
        }
        try (OpenFolder folder = OpenFolder.of(root)) {
            assertThat(folder.names("name*", 3)).hasSize(3);
            assertThat(folder.names("other*", 3)).isEmpty();
        }
    }

    @Test
    void noLinkIsFollowedBehindALinklessPath() throws IOException {
        Files.writeString(root.resolve("file"), "here");
        Files.createSymbolicLink(root.resolve("link"), root.resolve("file"));
        Files.createSymbolicLink(root.resolve("near"), Path.of("file"));
        try (OpenFolder folder = OpenFolder.of(root);
                LinkFreePath way = new LinkFreePath(folder.path())) {
            assertThat(folder.path("link")).hasContent("here");
            assertThat(way.resolve("file")).hasContent("here");
            assertThatThrownBy(() -> Files.readString(way.resolve("link"))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> Files.readString(way.resolve("near"))).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aLinklessPathLeavesNothingBehind() throws IOException {
        Path own;
        try (OpenFolder folder = OpenFolder.of(root);
                LinkFreePath way = new LinkFreePath(folder.path())) {
            own = way.resolve("file").getParent().getParent().toRealPath();
            assertThat(own).isDirectory();
        }
        assertThat(own).doesNotExist();
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
