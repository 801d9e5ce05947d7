// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryMapTest {
    private static final String START = "7f5e-7f5f r--p 00000000 fe:01 1234     ";

    @Test
    void namesEachFileOnce() {
        assertThat(MemoryMap.parse(START + "/a/libjvm.so\n" + START + "/a/libjvm.so\n")
                        .named(name -> true))
                .containsExactly(new MemoryMap.MappedFile("/a/libjvm.so", "fe:01", "1234", false));
    }

    @Test
    void leavesOutMemoryThatIsNoFile() {
        assertThat(MemoryMap.parse(START + "[heap]\n" + "7f5e-7f5f rw-p 00000000 00:00 0 \n")
                        .named(name -> true))
                .isEmpty();
    }

    @Test
    void readsPathsWithSpaces() {
        assertThat(MemoryMap.parse(START + "/a b/lib threadclock.so\n")
                        .named(name -> true)
                        .get(0)
                        .name())
                .isEqualTo("lib threadclock.so");
    }

    @Test
    void seesThatAFileWasDeleted() {
        assertThat(MemoryMap.parse(START + "/a/libthreadclock.so (deleted)\n").named(name -> true))
                .containsExactly(new MemoryMap.MappedFile("/a/libthreadclock.so", "fe:01", "1234", true));
    }

    @Test
    void aFileThatIsMappedAsDataIsNoCode() {
        MemoryMap map =
                MemoryMap.parse(START + "/data/libjvm.so\n" + START.replace("r--p", "r-xp") + "/code/libjvm.so\n");
        assertThat(map.executable(name -> true))
                .extracting(MemoryMap.MappedFile::path)
                .containsExactly("/code/libjvm.so");
    }
}
