// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests directories that another user has prepared, or may change. */
class PrivateDirectoryTest {
    private static final int NOBODY = 65534;

    @TempDir
    Path folder;

    @Test
    void nothingIsWrittenWhereEverybodyMayWrite() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        permit(data, "rwxrwxrwx");
        assertRefused(data, "it can be changed by others, for everybody may write to " + data);
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void norWhereOthersMayPutAnotherDirectoryInItsPlace() throws IOException {
        permit(folder, "rwxrwxrwx");
        assertRefused(folder.resolve("data"), "for everybody may write to " + folder);
        Path sticky = Files.createDirectory(folder.resolve("sticky"));
        Files.setAttribute(sticky, "unix:mode", 01777);
        assertRefused(sticky.resolve("data"), "for everybody may write to " + folder);
        permit(folder, "rwx------");
        MadeUp.store(sticky.resolve("data")).close();
        assertThat(sticky.resolve("data/db")).exists();
    }

    @Test
    void norWhereTheDirectoryIsAnotherUsers() throws IOException {
        Path data = strangers(Files.createDirectory(folder.resolve("data")));
        assertRefused(data, "for " + data + " belongs to user 65534");
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void norThroughALinkOfAnotherUser() throws IOException {
        Path own = Files.createDirectory(folder.resolve("own"));
        Path data = strangers(Files.createSymbolicLink(folder.resolve("data"), own));
        assertRefused(data, "for " + data + " belongs to user 65534");
        assertThat(own).isEmptyDirectory();
        Path mine = Files.createSymbolicLink(folder.resolve("mine"), own);
        MadeUp.store(mine).close();
        assertThat(own.resolve("db")).exists();
    }

    @Test
    void noLinkInARecordingIsFollowed() throws IOException {
        Path data = folder.resolve("data");
        MadeUp.store(data).close();
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        Path taken;
        try (Stream<Path> files = Files.walk(data)) {
            taken = files.filter(file -> file.endsWith("_cv")).findFirst().orElseThrow();
        }
        Files.delete(taken);
        Files.createSymbolicLink(taken, victim);
        assertRefused(data, "for " + taken + " is a link");
        assertThat(victim).hasContent("precious");
    }

    @Test
    void noFileOfAnotherUserIsReadForARecording() throws IOException {
        Path data = folder.resolve("data");
        MadeUp.store(data).close();
        Path file = strangers(Files.createFile(data.resolve("db/evil.d")));
        MadeUp.refused(() -> RecordingReader.open(data), "for " + file + " belongs to user 65534");
        MadeUp.refused(() -> Console.open(data, 0), "belongs to user 65534");
    }

    @Test
    void whoeverUsesSudoIsNoStranger() {
        assertThat(PrivateDirectory.trusted(0, "1000")).containsExactlyInAnyOrder(0, 1000);
        assertThat(PrivateDirectory.trusted(0, null)).containsExactly(0);
        assertThat(PrivateDirectory.trusted(0, "x")).containsExactly(0);
        assertThat(PrivateDirectory.trusted(7, "1000")).containsExactlyInAnyOrder(0, 7);
    }

    private static void assertRefused(Path data, String why) {
        assertThatThrownBy(() -> MadeUp.store(data).close())
                .isInstanceOf(StoreFailure.class)
                .hasMessageStartingWith("opening " + data + " to write: it can be changed by others, ")
                .hasMessageContaining(why)
                .hasMessageContaining("Name one of your own by --dir")
                .hasMessageNotContaining("\n");
    }

    private static Path strangers(Path file) throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root makes files of others");
        Files.setAttribute(file, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
        return file;
    }

    private static void permit(Path file, String permissions) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
}
