// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.Documented;
import io.threadclock.cli.process.OverFakeProc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryPathTest extends OverFakeProc {
    private static final String LOADED = "/opt/libthreadclock.so";

    @TempDir
    Path directory;

    private LibraryFile library;

    @BeforeEach
    void createLibrary() throws IOException {
        library = new LibraryFile(
                Files.copy(Path.of("/proc/self/exe").toRealPath(), directory.resolve("libthreadclock.so")));
    }

    @Test
    void theFileItselfIsUsedWhereTheProcessSeesIt() throws IOException {
        share(library.path());
        assertThat(LibraryPath.of(library, fake.target()))
                .isEqualTo(new LibraryPath(library.path().toString(), false, ""));
        fake.write("77/maps", fake.code(library.path().toString()));
        assertThat(LibraryPath.of(library, fake.target()).isLoaded()).isTrue();
    }

    @Test
    void anotherFileOfThatPathIsNotUsedWhateverItsContent() throws IOException {
        fake.write("77/root" + library.path(), "").permissions("77/root" + directory, "rwxr-xr-x");
        Files.copy(library.path(), fake.file("77/root" + library.path()), StandardCopyOption.REPLACE_EXISTING);
        assertThat(LibraryPath.of(library, fake.target()).path()).startsWith("/tmp/");
    }

    @Test
    void aLinkToItIsNotUsed() throws IOException {
        fake.write("77/root" + directory + "/x", "").permissions("77/root" + directory, "rwxr-xr-x");
        Files.createSymbolicLink(fake.file("77/root" + library.path()), library.path());
        assertThat(LibraryPath.of(library, fake.target()).path()).startsWith("/tmp/");
    }

    @Test
    void thatItWasReplacedSinceItWasLoadedIsSaid() throws IOException {
        share(library.path());
        fake.write("77/maps", fake.code(library.path().toString()).replace(".so", ".so (deleted)"));
        assertThat(LibraryPath.of(library, fake.target()).note()).contains("before that was replaced");
    }

    /** It finds the other one in memory. */
    @Test
    void aPathThatTheProcessNamesIsNeverUsed() throws IOException {
        for (String maps : List.of(fake.code(LOADED), fake.code(LOADED).replace(".so", ".so (deleted)"))) {
            fake.write("77/maps", maps).write("77/root" + LOADED, "");
            Files.copy(library.path(), fake.file("77/root" + LOADED), StandardCopyOption.REPLACE_EXISTING);
            assertThat(LibraryPath.of(library, fake.target()).path())
                    .isEqualTo("/tmp/libthreadclock-" + library.fingerprint() + ".so");
        }
    }

    @Test
    void aLibraryThatTheProcessDoesNotHaveIsCopiedForIt() throws IOException {
        LibraryPath place = LibraryPath.of(library, fake.target());
        assertThat(place.path()).isEqualTo("/tmp/libthreadclock-" + library.fingerprint() + ".so");
        assertThat(copy(place)).hasSameBinaryContentAs(library.path());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy(place))))
                .isEqualTo("rwxr-xr-x");
    }

    @Test
    void aCopyIsUsedAgain() {
        LibraryPath first = LibraryPath.of(library, fake.target());
        assertThat(LibraryPath.of(library, fake.target())).isEqualTo(first);
        assertThat(LibraryPath.isLoadedIn(fake.target(), library)).isFalse();
        fake.write("77/maps", fake.code(first.path()));
        assertThat(LibraryPath.isLoadedIn(fake.target(), library)).isTrue();
    }

    @Test
    void aCopyThatOthersMayWriteIsNotUsed() throws IOException {
        LibraryPath first = LibraryPath.of(library, fake.target());
        Files.setPosixFilePermissions(copy(first), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(LibraryPath.of(library, fake.target()).path()).isNotEqualTo(first.path());
    }

    @Test
    void aCopyWithOtherBytesIsNotUsed() throws IOException {
        LibraryPath first = LibraryPath.of(library, fake.target());
        Files.writeString(copy(first), "other");
        LibraryPath second = LibraryPath.of(library, fake.target());
        assertThat(second.path()).isNotEqualTo(first.path());
        assertThat(copy(second)).hasSameBinaryContentAs(library.path());
        assertThat(LibraryPath.of(library, fake.target())).as("no third one").isEqualTo(second);
    }

    @Test
    void noMoreThanSixteenCopiesAreLeftInAFolderWhateverOthersPutThere() {
        for (int number = 0; number < 16; number++) {
            assertThat(copy(LibraryPath.of(library, fake.target()))).isRegularFile();
            String suffix = number == 0 ? ".so" : "-" + number + ".so";
            fake.permissions("77/root/tmp/libthreadclock-" + library.fingerprint() + suffix, "rwxrwxrwx");
        }
        Documented.refused(() -> LibraryPath.of(library, fake.target()), "-15.so and those before it are others'");
    }

    @Test
    void aLinkInPlaceOfACopyIsNotFollowed() throws IOException {
        Path victim = Files.writeString(fake.file("victim"), "untouched");
        Files.createSymbolicLink(fake.file("77/root/tmp/libthreadclock-" + library.fingerprint() + ".so"), victim);
        LibraryPath place = LibraryPath.of(library, fake.target());
        assertThat(victim).hasContent("untouched");
        assertThat(copy(place)).isRegularFile().hasSameBinaryContentAs(library.path());
    }

    @Test
    void aLinkInPlaceOfTheTemporaryDirectoryIsNotFollowed() throws IOException {
        Path victim = Files.createDirectory(fake.file("victim"));
        Files.delete(fake.file("77/root/tmp/empty"));
        Files.delete(fake.file("77/root/tmp"));
        Files.createSymbolicLink(fake.file("77/root/tmp"), victim);
        fake.write("77/root/var/tmp/empty", "").permissions("77/root/var/tmp", "rwx------");
        assertThat(LibraryPath.of(library, fake.target()).path()).startsWith("/var/tmp/");
        assertThat(victim).isEmptyDirectory();
    }

    @Test
    void aDirectoryWithoutExecutionIsPassedOver() {
        fake.write("77/mountinfo", "24 23 0:22 / /tmp rw,noexec - tmpfs tmpfs rw\n");
        fake.write("77/root/dev/shm/empty", "").permissions("77/root/dev/shm", "rwx------");
        assertThat(LibraryPath.of(library, fake.target()).path()).startsWith("/dev/shm/");
    }

    @Test
    void aDirectoryWhereEverybodyMayReplaceFilesIsPassedOver() {
        fake.permissions("77/root/tmp", "rwxrwxrwx");
        Documented.refused(
                () -> LibraryPath.of(library, fake.target()), "/tmp: others may replace files there; /var/tmp: ");
    }

    @Test
    void anotherArchitectureIsRefused() throws IOException {
        byte[] other = Files.readAllBytes(library.path());
        other[18]++;
        Files.copy(library.path(), fake.file("77/exe"));
        Files.write(library.path(), other);
        Documented.refused(() -> LibraryPath.of(library, fake.target()), "architecture");
    }

    @Test
    void whatIsNoLibraryIsRefused() throws IOException {
        Files.writeString(library.path(), "text");
        Documented.refused(() -> LibraryPath.of(library, fake.target()), "is no shared library");
    }

    private void share(Path file) throws IOException {
        Path seen = fake.file("77/root" + file);
        Files.createDirectories(seen.getParent());
        Files.createLink(seen, file);
        for (Path folder = seen.getParent(); !folder.equals(mount); folder = folder.getParent()) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private Path copy(LibraryPath place) {
        return fake.file("77/root" + place.path());
    }
}
