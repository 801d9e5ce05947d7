// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.threadclock.cli.process.FakeProc;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskStatTest {
    private static final String TAIL = " S 1 2 3 0 -1 64 7 8 9 10 30 10 0 0 20 0 25 0 123456 1 2 3\n";
    /** More than Java can hold; the file is a hole. */
    private static final long TOO_MANY_BYTES = 1L << 32;

    @TempDir
    Path folder;

    /** Names may hold parentheses and spaces. */
    @ParameterizedTest
    @ValueSource(strings = {"main", "a) S 1 (b"})
    void readsNameStateTimesAndStart(String name) {
        assertThat(TaskStat.parse("42 (" + name + ")" + TAIL)).isEqualTo(new TaskStat(name, 'S', 30, 10, 123456));
    }

    @Test
    void userTimeIsTheSameShareOfExactCpuTimeAndAllOfItWithoutATick() {
        assertThat(new TaskStat("x", 'S', 30, 10, 1).userNsOf(404_000_000)).isEqualTo(303_000_000);
        assertThat(new TaskStat("x", 'S', 0, 0, 1).userNsOf(123)).isEqualTo(123);
    }

    @Test
    void readsTheBeginningOfWhatIsFarTooLong() throws IOException {
        FakeProc.write(folder.resolve("stat"), "42 (main)" + TAIL);
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve("stat").toFile(), "rw")) {
            file.setLength(TOO_MANY_BYTES);
        }
        assertThat(TaskStat.ofProcess(FakeProc.files(folder))).hasValue(new TaskStat("main", 'S', 30, 10, 123456));
    }

    @Test
    void thereIsNothingOfWhatHasEnded() {
        assertThat(TaskStat.ofProcess(FakeProc.files(folder))).isEmpty();
        assertThat(SchedStat.ofThread(FakeProc.files(folder), 78)).isEmpty();
    }

    /** A kernel without CONFIG_SCHED_INFO writes zeroes. */
    @ParameterizedTest
    @ValueSource(strings = {"0 0 0\n", "", "1 2\n", "1 -2 3\n", "1 2 99999999999999999999\n"})
    void waitsThatTheKernelDoesNotCountAreNotKnown(String line) {
        FakeProc.write(folder.resolve("task/78/schedstat"), line);
        assertThat(SchedStat.ofThread(FakeProc.files(folder), 78)).isEmpty();
    }

    @Test
    void whatIsCutIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> TaskStat.parse("42 (main) S 1 2"));
        assertThatIllegalArgumentException().isThrownBy(() -> TaskStat.parse("42 (ma"));
    }
}
