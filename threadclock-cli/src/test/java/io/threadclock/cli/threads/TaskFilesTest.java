// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.FakeProc;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskFilesTest {
    private static final String LINE =
            "77 (java) S 1 77 77 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 20 0 4711 100 200 18446744073709551615\n";
    /** More than Java can hold; the file is a hole. */
    private static final long TOO_MANY_BYTES = 1L << 32;

    @TempDir
    Path proc;

    @Test
    void readsTheBeginningOfWhatIsFarTooLong() throws IOException {
        Path stat = Files.createDirectories(proc.resolve("77")).resolve("stat");
        Files.writeString(stat, LINE);
        try (RandomAccessFile file = new RandomAccessFile(stat.toFile(), "rw")) {
            file.setLength(TOO_MANY_BYTES);
        }
        assertThat(new TaskFiles(FakeProc.files(proc.resolve("77"))).process())
                .hasValue(new TaskStat("java", 'S', 5, 6, 4711));
    }

    @Test
    void tellsHowAThreadHasWaited() {
        FakeProc.write(proc.resolve("77/task/78/schedstat"), "1000 200 3\n");
        assertThat(new TaskFiles(FakeProc.files(proc.resolve("77"))).schedStat(78))
                .hasValue(new SchedStat(1000, 200, 3));
    }

    /** A kernel without CONFIG_SCHED_INFO writes zeroes. */
    @ParameterizedTest
    @ValueSource(strings = {"0 0 0\n", "", "1 2\n", "1 -2 3\n", "1 2 99999999999999999999\n"})
    void waitsThatTheKernelDoesNotCountAreNotKnown(String line) {
        FakeProc.write(proc.resolve("77/task/78/schedstat"), line);
        assertThat(new TaskFiles(FakeProc.files(proc.resolve("77"))).schedStat(78))
                .isEmpty();
    }

    @Test
    void hasNothingOfWhatHasEnded() {
        assertThat(new TaskFiles(FakeProc.files(proc.resolve("77"))).process()).isEmpty();
    }
}
