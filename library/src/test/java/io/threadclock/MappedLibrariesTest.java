// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MappedLibrariesTest {
    private static final String RANGE = "7f0000000000-7f0000001000 r-xp 00000000 fe:00 4711 ";
    private static final String PADDING = "                     ";

    @Test
    void areNamedOnceHoweverManyPartsAreMapped() {
        String line = RANGE + PADDING + "/opt/threadclock/libthreadclock.so\n";
        assertThat(MappedLibraries.in(line + line)).containsOnlyKeys(Path.of("/opt/threadclock/libthreadclock.so"));
    }

    @Test
    void mayLieInDirectoriesWithSpaces() {
        String line = RANGE + PADDING + "/opt/my tools (new)/libthreadclock-0.1.so\n";
        assertThat(MappedLibraries.in(line)).containsOnlyKeys(Path.of("/opt/my tools (new)/libthreadclock-0.1.so"));
    }

    @Test
    void areNotThoseThatHaveLostTheirNames() {
        String line = RANGE + PADDING + "/tmp/threadclock-1/libthreadclock.so (deleted)\n";
        assertThat(MappedLibraries.in(line)).isEmpty();
    }

    @Test
    void areNotThoseThatJavaCannotName() {
        String line = RANGE + PADDING + "/opt/\0/libthreadclock.so\n";
        assertThat(MappedLibraries.in(line)).isEmpty();
    }

    @Test
    void areNotOtherFiles() {
        String lines = RANGE + PADDING + "/lib/libc.so.6\n" + RANGE + "\n" + RANGE + PADDING + "[stack]\n" + RANGE
                + PADDING + "/opt/libthreadclock/libother.so\n";
        assertThat(MappedLibraries.in(lines)).isEmpty();
    }

    @Test
    void areNotThoseThatAreMappedAsData() {
        String line = RANGE.replace("r-xp", "r--p") + PADDING + "/opt/threadclock/libthreadclock.so\n";
        assertThat(MappedLibraries.in(line)).isEmpty();
    }
}
