// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that others have written, or named. Whatever they contain, they are read within bounds or refused. */
class FilesFuzzTest {
    private static final int MOST_SECTIONS = 0xffff;

    @FuzzTest
    void programs(byte[] bytes) throws IOException {
        Path file = Files.createTempFile("threadclock-fuzz-", ".elf");
        try {
            ElfFile elf = ElfFile.read(Files.write(file, bytes));
            require(elf.sections().size() <= MOST_SECTIONS, "as many sections as the header can count");
            require(elf.sections().stream().allMatch(name -> name.length() <= 128), "short names");
        } finally {
            Files.delete(file);
        }
    }

    /** {@link PerfData#of} treats an exception as a file that says nothing. */
    @FuzzTest
    void performanceData(byte[] bytes) {
        try {
            PerfData data = PerfData.parse(bytes);
            require(data.texts().values().stream().allMatch(text -> text.length() <= 64), "short texts");
            data.attachable();
            data.started();
            data.feature();
        } catch (IndexOutOfBoundsException cut) {
            return;
        }
    }

    @FuzzTest
    void mappings(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        MemoryMap map = MemoryMap.parse(text);
        require(map.mappings().size() <= text.lines().count(), "a mapping a line at most");
        map.places(name -> name.startsWith("lib"));
        map.named(name -> name.endsWith(".so"));
    }

    private static void require(boolean law, String words) {
        if (!law) {
            throw new AssertionError(words);
        }
    }
}
