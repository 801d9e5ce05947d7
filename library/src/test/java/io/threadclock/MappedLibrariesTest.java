// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MappedLibrariesTest {
    private static final String LINES = "7f0000000000-7f0000001000 %s 00000000 fe:00 4711                      %s\n";

    /** The path of a library is named once however many parts of it are mapped. */
    @ParameterizedTest
    @ValueSource(strings = {"/opt/threadclock/libthreadclock.so", "/opt/my tools (new)/libthreadclock-0.1.so"})
    void areNamedOnceInWhateverDirectory(String path) {
        String line = String.format(LINES, "r-xp", path);
        assertThat(MappedLibraries.in(line + line)).containsOnlyKeys(Path.of(path));
    }

    @ParameterizedTest
    @CsvSource({
        "that has lost its name, r-xp, /tmp/threadclock-1/libthreadclock.so (deleted)",
        "that Java cannot name, r-xp, /opt/\0/libthreadclock.so",
        "of another library, r-xp, /lib/libc.so.6",
        "without a name, r-xp, ''",
        "that is no file, r-xp, [stack]",
        "in a directory with such a name, r-xp, /opt/libthreadclock/libother.so",
        "that is mapped as data, r--p, /opt/threadclock/libthreadclock.so"
    })
    void areNotAMapping(String which, String rights, String path) {
        assertThat(MappedLibraries.in(String.format(LINES, rights, path)))
                .as(which)
                .isEmpty();
    }
}
