// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmFinderTest {
    private static final long S = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    Path folder;

    private FakeProc proc;
    private JvmFinder finder;

    @BeforeEach
    void begin() {
        proc = new FakeProc(folder);
        finder = new JvmFinder(proc.proc(), false);
        process("sh", "");
    }

    private void process(String name, String maps) {
        proc.write("78/stat", "78 (" + name + ") S 1 77 77 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 20 0 99 100 200 3\n");
        proc.write("78/maps", maps);
    }

    @Test
    void aProcessThatBecomesAJvmIsFound() {
        assertThat(finder.find(0)).containsExactly(77);
        process("sh", FakeProc.LIBJVM);
        assertThat(finder.find(S)).containsExactly(77, 78);
        process("cat", "");
        assertThat(finder.find(2 * S)).containsExactly(77);
    }

    @Test
    void oneThatIsNoneForAWhileIsLookedAtAgainWhenItHasAnotherName() {
        finder.find(0);
        finder.find(61 * S);
        process("sh", FakeProc.LIBJVM);
        assertThat(finder.find(62 * S)).containsExactly(77);
        process("java", FakeProc.LIBJVM);
        assertThat(finder.find(63 * S)).containsExactly(77, 78);
    }
}
