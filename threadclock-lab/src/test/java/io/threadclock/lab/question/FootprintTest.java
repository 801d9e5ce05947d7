// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class FootprintTest {
    private static final Path LIBRARY = Path.of("/lib/libthreadclock.so");
    private static final List<String> SMAPS =
            """
            7f0000000000-7f0000008000 r-xp 00001000 08:01 4711                       /lib/libthreadclock.so
            Rss:                  28 kB
            Private_Dirty:        28 kB
            Anonymous:             0 kB
            VmFlags: rd ex mr mw me sd
            7f0000008000-7f000000a000 rw-p 00009000 08:01 4711                       /lib/libthreadclock.so
            Rss:                   8 kB
            Private_Dirty:         8 kB
            Anonymous:             8 kB
            VmFlags: rd wr mr mw me ac sd
            7f0000010000-7f0000014000 rw-p 00000000 00:00 0\s
            Rss:                   4 kB
            Private_Dirty:         4 kB
            VmFlags: rd wr mr mw me nr wf sd
            7f0000020000-7f0000021000 r--p 00000000 00:00 0\s
            Rss:                   4 kB
            Private_Dirty:         4 kB
            VmFlags: rd mr mw me sd
            7f0000030000-7f0000031000 r--p 00000000 00:00 0                          [vvar]
            Rss:                   4 kB
            Private_Dirty:         0 kB
            VmFlags: rd mr pf io de dd sd
            7f0000040000-7f0000080000 rw-p 00000000 00:00 0\s
            Rss:                 256 kB
            Private_Dirty:       256 kB
            """
                    .lines()
                    .toList();

    @Test
    void readsTheMappingsOfSmaps() {
        List<Mapping> mappings = Mapping.parse(SMAPS);
        assertThat(mappings).hasSize(6);
        assertThat(mappings.get(1).path()).isEqualTo("/lib/libthreadclock.so");
        assertThat(mappings.get(2).flags()).contains("nr", "wf");
        assertThat(mappings.get(5).flags()).isEmpty();
    }

    @Test
    void tellsTheLibrarysMemoryFromTheRest() {
        assertThat(use()).isEqualTo(new Footprint.Use(8192, 28 * 1024, 4096, 4096));
    }

    @Test
    void leavesOutWhatTheJvmHasAnyway() {
        Footprint.Use jvm = new Footprint.Use(0, 0, 4096, 0);
        assertThat(use().minus(jvm)).isEqualTo(new Footprint.Use(8192, 28 * 1024, 0, 4096));
    }

    private static Footprint.Use use() {
        return Footprint.Use.of(Mapping.parse(SMAPS), LIBRARY);
    }
}
