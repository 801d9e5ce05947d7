// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.MemoryMap.MappedFile;
import org.junit.jupiter.api.Test;

class MemoryMapTest {
    @Test
    void namesEachFileOnceAndNoOtherMemory() {
        MemoryMap map = MemoryMap.parse(
                """
                7f5d-7f5e r-xp 00000000 fe:01 1234     /code/libjvm.so
                7f5e-7f5f r--p 00000000 fe:01 1234     /code/libjvm.so
                7f5f-7f60 r--p 00000000 fe:01 1235     /a b/lib data.so
                7f60-7f61 r--p 00000000 fe:01 1236     /a/libthreadclock.so (deleted)
                7f61-7f62 rw-p 00000000 00:00 0        [heap]
                7f62-7f63 rw-p 00000000 00:00 0\s
                """);
        MappedFile code = new MappedFile("/code/libjvm.so", "fe:01", "1234", false);
        assertThat(map.named(name -> true))
                .containsExactly(
                        code,
                        new MappedFile("/a b/lib data.so", "fe:01", "1235", false),
                        new MappedFile("/a/libthreadclock.so", "fe:01", "1236", true));
        assertThat(map.named("lib data.so"::equals)).hasSize(1);
        assertThat(map.executable(name -> true)).containsExactly(code);
    }
}
