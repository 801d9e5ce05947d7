// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.process.OverFakeProc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryChoiceTest extends OverFakeProc {
    private static final int MACHINE = 18; // in the file's header
    private static final int AARCH64 = 183;
    private static final String LIBJVM = "/usr/lib/jvm/lib/server/libjvm.so";

    @TempDir
    Path directory;

    private LibraryFile own;
    private Path libc;

    @BeforeEach
    void createLibraries() throws IOException {
        own = new LibraryFile(elf("libthreadclock.so", 0));
        elf("native/linux-x86_64/libthreadclock.so", 0);
        elf("native/linux-aarch64/libthreadclock.so", 1);
        libc = Files.writeString(directory.resolve("libc.so.6"), "of this machine");
        fake.write("self/maps", FakeProc.LIBJVM + mapped(libc.toString()));
    }

    @Test
    void aProcessWithOurLibcLoadsOurLibrary() throws IOException {
        fake.write("77/maps", FakeProc.LIBJVM + mapped(libc.toString())).write("77/root" + directory + "/x", "");
        Files.createLink(fake.file("77/root" + libc), libc);
        assertThat(choice().library()).isEqualTo(own);
    }

    @Test
    void oneWithAnotherLibcOfThatNameLoadsTheOneForAll() {
        fake.write("77/maps", FakeProc.LIBJVM + mapped(libc.toString())).write("77/root" + libc, "of a container");
        assertThat(choice().library()).isEqualTo(portable("x86_64"));
    }

    @Test
    void soDoesOneWithMusl() {
        fake.write("77/maps", FakeProc.LIBJVM + mapped("/lib/ld-musl-x86_64.so.1"));
        assertThat(choice().library()).isEqualTo(portable("x86_64"));
    }

    @Test
    void anEmulatedJvmLoadsThatOfTheArchitectureThatItsEmulatorNames() throws IOException {
        Files.write(portable("aarch64").path(), elfOf(AARCH64));
        fake.runBy("qemu-aarch64-static");
        assertThat(choice().library()).isEqualTo(portable("aarch64"));
    }

    @Test
    void whereNoneIsBuiltForAllOursIsTried() throws IOException {
        Files.delete(portable("x86_64").path());
        Files.delete(portable("aarch64").path());
        fake.write("77/maps", FakeProc.LIBJVM + mapped("/lib/ld-musl-x86_64.so.1"));
        assertThat(choice().library()).isEqualTo(own);
        assertThat(choice().tried()).containsExactly(own.path());
    }

    @Test
    void whereOnlyThoseForAllAreInstalledTheOtherArchitectureIsFound() throws IOException {
        LibraryFile installed = new LibraryFile(elf("lib/linux-x86_64/libthreadclock.so", 0));
        Path other = elf("lib/linux-aarch64/libthreadclock.so", 1);
        Files.copy(other, fake.file("77/exe"));
        fake.write("77/maps", FakeProc.LIBJVM + mapped("/lib/ld-musl-x86_64.so.1"));
        assertThat(new LibraryChoice(installed, fake.target()).library().path()).isEqualTo(other);
    }

    private LibraryChoice choice() {
        return new LibraryChoice(own, fake.target());
    }

    private LibraryFile portable(String architecture) {
        return new LibraryFile(directory.resolve("native/linux-" + architecture + "/libthreadclock.so"));
    }

    private static String mapped(String path) {
        return FakeProc.LIBJVM.replace(LIBJVM, path);
    }

    private static byte[] elfOf(int machine) throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of("/proc/self/exe"));
        bytes[MACHINE] = (byte) machine;
        return bytes;
    }

    private Path elf(String name, int difference) throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of("/proc/self/exe"));
        bytes[MACHINE] += (byte) difference;
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, bytes);
    }
}
