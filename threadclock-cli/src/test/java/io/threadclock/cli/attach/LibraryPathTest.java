// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.Documented;
import io.threadclock.cli.process.FakeProc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryPathTest {
    private static final String LOADED = "/opt/libthreadclock.so";

    @TempDir
    Path mount;

    @TempDir
    Path directory;

    private FakeProc fake;
    private LibraryFile library;

    @BeforeEach
    void createLibrary() throws IOException {
        fake = new FakeProc(mount);
        library = new LibraryFile(
                Files.copy(Path.of("/proc/self/exe").toRealPath(), directory.resolve("libthreadclock.so")));
    }

    @Test
    void aLoadedLibraryIsUsedAgainByItsOwnPath() throws IOException {
        copyTo(LOADED);
        fake.write("77/maps", fake.code(LOADED));
        assertThat(LibraryPath.of(library, fake.target())).isEqualTo(new LibraryPath(LOADED, true, ""));
    }

    @Test
    void aLoadedLibraryOfAnotherVersionIsUsedAndNamed() {
        fake.write("77/root" + LOADED, "other")
                .permissions("77/root" + LOADED, "rw-r--r--")
                .permissions("77/root/opt", "rwxr-xr-x");
        fake.write("77/maps", fake.code(LOADED));
        assertThat(LibraryPath.of(library, fake.target()).note()).contains("other version", "/opt/libthreadclock.so");
    }

    @Test
    void aLoadedLibraryForAnotherLibcIsOfOurVersion() throws IOException {
        Path folder = Files.createDirectories(directory.resolve("native/linux-x86_64"));
        Files.writeString(folder.resolve("libthreadclock.so"), "for another libc");
        fake.write("77/root" + LOADED, "for another libc")
                .permissions("77/root" + LOADED, "rw-r--r--")
                .permissions("77/root/opt", "rwxr-xr-x");
        fake.write("77/maps", fake.code(LOADED));
        assertThat(LibraryPath.of(library, fake.target()).note()).isEmpty();
    }

    @Test
    void aLoadedLibraryWhoseFileWasReplacedIsUsedByItsName() throws IOException {
        fake.write("77/maps", fake.code(LOADED).replace(".so", ".so (deleted)"));
        copyTo(LOADED);
        LibraryPath place = LibraryPath.of(library, fake.target());
        assertThat(place.path()).isEqualTo("/opt/libthreadclock.so");
        assertThat(place.note()).contains("other version");
    }

    @Test
    void aFileThatTheProcessHasMappedAsDataIsNotLoadedWhateverItsName() throws IOException {
        copyTo(LOADED);
        fake.write("77/maps", fake.code(LOADED).replace("r-xp", "r--p"));
        assertThat(LibraryPath.loadedIn(fake.target())).isEmpty();
        assertThat(LibraryPath.of(library, fake.target()).isLoaded()).isFalse();
    }

    @Test
    void aLoadedLibraryThatOthersMayWriteIsNotUsed() throws IOException {
        copyTo(LOADED);
        fake.write("77/maps", fake.code(LOADED)).permissions("77/root" + LOADED, "rw-rw-rw-");
        assertThat(Documented.refusal(() -> LibraryPath.of(library, fake.target())))
                .hasMessageContaining("others may have put it there, everybody may write to /opt/libthreadclock.so");
    }

    @Test
    void anotherFileInThePlaceOfTheLoadedOneIsNotUsed() throws IOException {
        copyTo(LOADED);
        copyTo("/opt/other.so");
        fake.write("77/maps", fake.code("/opt/other.so").replace("/opt/other.so", LOADED));
        assertThat(Documented.refusal(() -> LibraryPath.of(library, fake.target())))
                .hasMessageContaining("is not the file that it has loaded");
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
        assertThat(LibraryPath.of(library, fake.target())).isEqualTo(LibraryPath.of(library, fake.target()));
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
        assertThat(Documented.refusal(() -> LibraryPath.of(library, fake.target())))
                .hasMessageContaining("/tmp: others may replace files there; /var/tmp: ");
    }

    @Test
    void anotherArchitectureIsRefused() throws IOException {
        byte[] other = Files.readAllBytes(library.path());
        other[18]++;
        Files.copy(library.path(), fake.file("77/exe"));
        Files.write(library.path(), other);
        assertThat(Documented.refusal(() -> LibraryPath.of(library, fake.target())))
                .hasMessageContaining("architecture");
    }

    @Test
    void whatIsNoLibraryIsRefused() throws IOException {
        Files.writeString(library.path(), "text");
        assertThat(Documented.refusal(() -> LibraryPath.of(library, fake.target())))
                .hasMessageContaining("is no shared library");
    }

    private void copyTo(String path) throws IOException {
        fake.write("77/root/opt/x", "").permissions("77/root/opt", "rwxr-xr-x");
        Files.copy(library.path(), fake.file("77/root" + path));
        fake.permissions("77/root" + path, "rw-r--r--");
    }

    private Path copy(LibraryPath place) {
        return fake.file("77/root" + place.path());
    }
}
