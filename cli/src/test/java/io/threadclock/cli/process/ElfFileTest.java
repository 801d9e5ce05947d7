// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ElfFileTest {
    private static final Path JAVA = Path.of("/proc/self/exe");
    private static final int MACHINE = 18;

    @TempDir
    Path directory;

    @Test
    void readsTheSectionsOfARealProgram() {
        assertThat(ElfFile.read(JAVA).sections()).contains(".text", ".dynamic").doesNotContain(".svm_heap");
    }

    @Test
    void aProgramLoadsALibraryOfItsOwnMachineOnly() throws IOException {
        byte[] other = Files.readAllBytes(JAVA);
        other[MACHINE]++;
        assertThat(ElfFile.read(JAVA).canLoad(ElfFile.read(JAVA))).isTrue();
        assertThat(ElfFile.read(JAVA).canLoad(read(other))).isFalse();
    }

    @Test
    void theLoaderIsNoStaticProgram() {
        ElfFile loader = ElfFile.read(Path.of(ElfFile.read(JAVA).interpreter()));
        assertThat(loader.interpreter()).isEmpty();
        assertThat(loader.isStatic()).isFalse();
    }

    @Test
    void whatIsNoElfFileHasNoBits() throws IOException {
        assertThat(read("#!/bin/sh".getBytes()).bits()).isZero();
        assertThat(ElfFile.read(directory.resolve("missing")).bits()).isZero();
    }

    @Test
    void aFileThatEndsWithinItsTablesHasNoBits() throws IOException {
        byte[] whole = Files.readAllBytes(JAVA);
        assertThat(read(Arrays.copyOf(whole, whole.length - 100)).bits()).isZero();
    }

    /** Each of 65,535 sections has the name at the table's beginning, which is a megabyte long. */
    @Test
    void namesAreShortHoweverManyAndLongTheFileHasThem() throws IOException {
        int sections = 0xffff;
        int names = 1 << 20;
        ByteBuffer file = headed(64 + sections * 64 + names);
        file.putLong(64 + 24, 64 + sections * 64L).putLong(64 + 32, names);
        Arrays.fill(file.array(), 64 + sections * 64, file.limit(), (byte) 'x');
        for (int section = 0; section < sections; section++) {
            file.putInt(64 + section * 64, section);
        }
        assertThat(read(file.array()).sections()).allMatch(name -> name.length() <= 128);
    }

    /** A hundred bytes claim four megabytes of sections, and there are very many such programs. */
    @Test
    void noMoreIsTakenForATableThanTheFileHolds() throws IOException {
        Path small = Files.write(directory.resolve("small"), headed(100).array());
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        ElfFile.read(small);
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThat(ElfFile.read(small).bits()).isZero();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
    }

    /** Nobody writes to the pipe, so opening it would never end. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeIsNotWaitedFor() throws IOException, InterruptedException {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .as("exit status of mkfifo")
                .isZero();
        assertThat(ElfFile.read(pipe).bits()).isZero();
    }

    @Test
    void aNativeImageIsToldByTheSectionOfItsHeap() {
        ElfFile image = new ElfFile(64, 62, Set.of(".text", ".svm_heap"), "", true);
        assertThat(JvmKind.of(name -> false, () -> image)).isEqualTo(JvmKind.NATIVE_IMAGE);
        assertThat(JvmKind.of(name -> false, () -> ElfFile.read(JAVA))).isEqualTo(JvmKind.NONE);
    }

    /** A file of 64 bits that claims 65,535 sections. */
    private static ByteBuffer headed(int bytes) {
        ByteBuffer file = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.putInt(0, Integer.reverseBytes(0x7f454c46)).put(4, (byte) 2);
        return file.putLong(40, 64).putShort(60, (short) -1);
    }

    private ElfFile read(byte[] bytes) throws IOException {
        return ElfFile.read(Files.write(directory.resolve("file"), bytes));
    }
}
