// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.FakeProc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of /proc are fake: one process with one thread. */
class ProcThreadReaderTest {
    private static final int PID = 4711;

    @TempDir
    Path folder; // /proc/PID

    @BeforeEach
    void createTask() throws IOException {
        Files.createDirectories(task());
        set(100, 0, 0, 1_000);
    }

    private ProcThreadReader reader() {
        return new ProcThreadReader(FakeProc.files(folder));
    }

    @Test
    void dividesCpuTimeAsTheKernelsTicksDo() throws IOException {
        set(100, 3, 1, 40_000_000);
        ThreadSnapshot thread = only(reader().snapshot());
        assertThat(thread.userNs()).isEqualTo(30_000_000);
        assertThat(thread.systemNs()).isEqualTo(10_000_000);
    }

    @Test
    void tellsHowThreadsHaveWaited() throws IOException {
        Files.writeString(task().resolve("schedstat"), "1000 200 3\n");
        ProcThreadReader reader = reader();
        assertThat(only(reader.snapshot()).sched()).isEqualTo(new SchedStat(1000, 200, 3));
    }

    @Test
    void letsNeitherPartStepBack() throws IOException {
        ProcThreadReader reader = reader();
        set(100, 1, 1, 20_000_000);
        reader.snapshot();
        set(100, 2, 1, 21_000_000); // by ticks alone 14 ms user, 7 system
        ThreadSnapshot thread = only(reader.snapshot());
        assertThat(thread.userNs()).isEqualTo(11_000_000);
        assertThat(thread.systemNs()).isEqualTo(10_000_000);
        set(100, 2, 3, 22_000_000); // 8.8 ms user
        thread = only(reader.snapshot());
        assertThat(thread.userNs()).isEqualTo(11_000_000);
        assertThat(thread.systemNs()).isEqualTo(11_000_000);
    }

    @Test
    void beginsAnewWithAnotherThreadOfThatTid() throws IOException {
        ProcThreadReader reader = reader();
        set(100, 5, 5, 100_000_000);
        reader.snapshot();
        Files.writeString(task().resolve("stat"), stat(300, 1, 0));
        Files.writeString(task().resolve("schedstat"), "10000000 0 1\n");
        assertThat(only(reader.snapshot()).cpuNs()).isEqualTo(10_000_000);
    }

    private static ThreadSnapshot only(Snapshot snapshot) {
        assertThat(snapshot.threads()).hasSize(1);
        return snapshot.threads().get(0);
    }

    private void set(long startTicks, long utimeTicks, long stimeTicks, long cpuNs) throws IOException {
        Files.writeString(folder.resolve("stat"), stat(startTicks, utimeTicks, stimeTicks));
        Files.writeString(task().resolve("stat"), stat(startTicks, utimeTicks, stimeTicks));
        Files.writeString(task().resolve("schedstat"), cpuNs + " 0 1\n");
    }

    private Path task() {
        return folder.resolve("task").resolve(Integer.toString(PID));
    }

    private static String stat(long startTicks, long utimeTicks, long stimeTicks) {
        return PID + " (java) S 1 1 1 0 -1 0 0 0 0 0 " + utimeTicks + " " + stimeTicks + " 0 0 20 0 1 0 " + startTicks
                + " 0 0\n";
    }
}
