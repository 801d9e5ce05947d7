// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.cli.process.Documented;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreloadFileTest {
    private static final Path JAVA = Path.of("/proc/self/exe");
    private static final int PT_INTERP = 3;
    private static final int PT_NULL = 0;
    private static final int SETUID = 04000;
    private static final int SETGID = 02000;
    private static final int NOBODY = 65534;

    @TempDir
    Path directory;

    private LibraryFile own;

    /** A program of this machine stands in for the library. */
    @BeforeEach
    void aLibraryIsHere() throws IOException {
        own = new LibraryFile(directory.resolve("libthreadclock.so"));
        Files.copy(JAVA, directory.resolve(PreloadFile.NAME));
    }

    @Test
    void theLibraryLiesBesideTheOther() {
        assertThat(of(JAVA.toString()).path()).isEqualTo(directory.resolve(PreloadFile.NAME));
    }

    /** The program of env(1) is found by PATH, as the script itself is. */
    @ParameterizedTest
    @ValueSource(strings = {"static", "#!DIRECTORY/static\n", "#!/usr/bin/env static\n"})
    void aStaticProgramIsRefusedAndAScriptOfOne(String text) throws IOException {
        Path program = withoutInterpreter("static");
        written("script", text.replace("DIRECTORY", directory.toString()).getBytes());
        String name = text.startsWith("#!") ? "script" : program.toString();
        Documented.refused(() -> of(name), program + " is a static program");
    }

    @Test
    void aProgramWithTheRightsOfAnotherUserOrGroupIsRefused() throws IOException {
        for (int mode : new int[] {SETUID, SETGID}) {
            Path program = directory.resolve("privileged" + mode);
            Files.copy(JAVA, program);
            makeExecutable(program);
            Files.setAttribute(program, "unix:mode", mode | 0755);
            assertThat(of(program.toString())).as("one with our own rights").isNotNull();
            assumeThat(isGivenToNobody(program))
                    .as("only root gives files away")
                    .isTrue();
            Files.setAttribute(program, "unix:mode", mode | 0755);
            Documented.refused(() -> of(program.toString()), "ignores LD_PRELOAD");
        }
    }

    /** A file that is no program stands for one that we may not read. */
    @Test
    void aPrivilegedProgramThatCannotBeReadIsRefused() throws IOException {
        Path program = written("unreadable", new byte[] {0});
        assumeThat(isGivenToNobody(program)).as("only root gives files away").isTrue();
        Files.setAttribute(program, "unix:mode", SETUID | 0111);
        Documented.refused(() -> of(program.toString()), "ignores LD_PRELOAD");
    }

    /** NUL cannot be in a path in any locale, which é cannot in C. */
    @Test
    void whatCannotBeAPathIsPassedOver() throws IOException {
        withoutInterpreter("static");
        written("script", "#!/bin/\0 x\n".getBytes());
        assertThat(of("script").path()).hasFileName(PreloadFile.NAME);
        Documented.refused(
                () -> PreloadFile.of(own, "static", Map.of("PATH", "/\0:" + directory)), "is a static program");
    }

    private static boolean isGivenToNobody(Path file) {
        try {
            Files.setAttribute(file, "unix:uid", NOBODY);
            Files.setAttribute(file, "unix:gid", NOBODY);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void withoutABuildOfTheLibraryItIsRefused() throws IOException {
        Files.delete(directory.resolve(PreloadFile.NAME));
        Documented.refusal(() -> of(JAVA.toString()));
    }

    @Test
    void aPathAtWhichTheLoaderWouldDivideIsRefused() throws IOException {
        Path folder = Files.createDirectory(directory.resolve("with space"));
        Files.copy(JAVA, folder.resolve(PreloadFile.NAME));
        Documented.refusal(
                () -> PreloadFile.of(new LibraryFile(folder.resolve("libthreadclock.so")), JAVA.toString(), Map.of()));
    }

    @Test
    void theBuildForAllPlatformsIsForAnotherLoader() throws IOException {
        Path program = withInterpreter("musl", "/lib/ld-m");
        Documented.refused(() -> of(program.toString()), "could load");
        Path portable = directory.resolve("native/linux-" + machine());
        Files.createDirectories(portable);
        Files.copy(JAVA, portable.resolve(PreloadFile.NAME));
        assertThat(of(program.toString()).path()).isEqualTo(portable.resolve(PreloadFile.NAME));
    }

    private PreloadFile of(String program) {
        return PreloadFile.of(own, program, Map.of("PATH", "/nonexistent:" + directory));
    }

    private static String machine() {
        return System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
    }

    private Path withoutInterpreter(String name) throws IOException {
        byte[] program = Files.readAllBytes(JAVA);
        bytes(program).putInt(interpreterHeader(program), PT_NULL);
        return written(name, program);
    }

    private Path withInterpreter(String name, String interpreter) throws IOException {
        byte[] program = Files.readAllBytes(JAVA);
        int path = (int) bytes(program).getLong(interpreterHeader(program) + 8);
        bytes(program).put(path, (interpreter + "\0").getBytes());
        return written(name, program);
    }

    private static ByteBuffer bytes(byte[] program) {
        return ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int interpreterHeader(byte[] program) {
        int header = (int) bytes(program).getLong(32);
        while (bytes(program).getInt(header) != PT_INTERP) {
            header += 56;
        }
        return header;
    }

    private Path written(String name, byte[] program) throws IOException {
        Path file = Files.write(directory.resolve(name), program);
        makeExecutable(file);
        return file;
    }

    private static void makeExecutable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
