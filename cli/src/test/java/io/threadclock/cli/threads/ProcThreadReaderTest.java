// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.FakeProc;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of /proc are fake: one process with one thread. */
class ProcThreadReaderTest {
    private static final int PID = 4711;
    private static final String TASK = "task/" + PID + "/";

    @TempDir
    Path folder; // /proc/PID

    @BeforeEach
    void writeTask() {
        set(100, 0, 0, 1_000);
    }

    private ProcThreadReader reader() {
        return new ProcThreadReader(FakeProc.files(folder));
    }

    @Test
    void dividesCpuTimeAsTheKernelsTicksDo() {
        set(100, 3, 1, 40_000_000);
        ThreadSnapshot thread = only(reader().snapshot());
        assertThat(thread.userNs()).isEqualTo(30_000_000);
        assertThat(thread.systemNs()).isEqualTo(10_000_000);
    }

    @Test
    void tellsHowThreadsHaveWaited() {
        write(TASK + "schedstat", "1000 200 3\n");
        ProcThreadReader reader = reader();
        assertThat(only(reader.snapshot()).sched()).isEqualTo(new SchedStat(1000, 200, 3));
    }

    @Test
    void letsNeitherPartStepBack() {
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
    void beginsAnewWithAnotherThreadOfThatTid() {
        ProcThreadReader reader = reader();
        set(100, 5, 5, 100_000_000);
        reader.snapshot();
        write(TASK + "stat", stat(300, 1, 0));
        write(TASK + "schedstat", "10000000 0 1\n");
        assertThat(only(reader.snapshot()).cpuNs()).isEqualTo(10_000_000);
    }

    private static ThreadSnapshot only(Snapshot snapshot) {
        assertThat(snapshot.threads()).hasSize(1);
        return snapshot.threads().get(0);
    }

    private void set(long startTicks, long utimeTicks, long stimeTicks, long cpuNs) {
        write("stat", stat(startTicks, utimeTicks, stimeTicks));
        write(TASK + "stat", stat(startTicks, utimeTicks, stimeTicks));
        write(TASK + "schedstat", cpuNs + " 0 1\n");
    }

    private void write(String name, String line) {
        FakeProc.write(folder.resolve(name), line);
    }

    private static String stat(long startTicks, long utimeTicks, long stimeTicks) {
        return PID + " (java) S 1 1 1 0 -1 0 0 0 0 0 " + utimeTicks + " " + stimeTicks + " 0 0 20 0 1 0 " + startTicks
                + " 0 0\n";
    }
}
