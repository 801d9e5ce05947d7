// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.CpuQuota;
import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.process.KernelFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLimitsTest {
    @TempDir
    Path root;

    @Test
    void readsUserFilterAndLimits() {
        write(
                "proc/7/status",
                "Uid:\t1000\t1001\t1000\t1000\nCapEff:\t0000004000000000\nSeccomp:\t2\nCpus_allowed_list:\t0-2,5\n");
        write(
                "proc/7/limits",
                "Limit    Soft Limit   Hard Limit\nMax locked memory         65536                65536    bytes\n");
        ProcessLimits confines = confines();
        assertThat(confines).isEqualTo(new ProcessLimits(1001, true, 1L << 38, 65536, 4, CpuQuota.NONE));
        assertThat(confines.mayUsePerf(Examinations.machine(3)))
                .as("by CAP_PERFMON")
                .isTrue();
    }

    @Test
    void unlimitedIsNoNumber() {
        write("proc/7/limits", "Max locked memory         unlimited            unlimited            bytes\n");
        assertThat(confines().perfPages(Examinations.machine(2))).isEmpty();
    }

    private ProcessLimits confines() {
        return ProcessLimits.of(new KernelFiles(root), FakeProc.files(root.resolve("proc/7")));
    }

    private void write(String name, String text) {
        FakeProc.write(root.resolve(name), text);
    }
}
