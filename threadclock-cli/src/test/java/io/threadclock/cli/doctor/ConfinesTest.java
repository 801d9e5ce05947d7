// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfinesTest {
    private static final String SECOND = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
    private static final String FIRST = "31 23 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";

    @TempDir
    Path root;

    @Test
    void readsUserFilterAndLimits() {
        write("proc/7/status", "Uid:\t1000\t1001\t1000\t1000\nCapEff:\t0000004000000000\nSeccomp:\t2\nCpus_allowed_list:\t0-2,5\n");
        write("proc/7/limits", "Limit    Soft Limit   Hard Limit\nMax locked memory         65536                65536    bytes\n");
        Confines confines = Confines.of(Examinations.files(root), "7");
        assertThat(confines).isEqualTo(new Confines(1001, true, 1L << 38, 65536, 4, OptionalDouble.empty()));
        assertThat(confines.mayUsePerf(Examinations.machine(3))).as("by CAP_PERFMON").isTrue();
    }

    @Test
    void unlimitedIsNoNumber() {
        write("proc/7/limits", "Max locked memory         unlimited            unlimited            bytes\n");
        assertThat(Confines.of(Examinations.files(root), "7").perfPages(Examinations.machine(2))).isEmpty();
    }

    @Test
    void theLeastQuotaOfAllGroupsAboveCounts() {
        write("proc/7/mountinfo", SECOND);
        write("proc/7/cgroup", "0::/shop/till\n");
        write("sys/fs/cgroup/shop/till/cpu.max", "max 100000\n");
        write("sys/fs/cgroup/shop/cpu.max", "150000 100000\n");
        assertThat(quota()).hasValue(1.5);
    }

    @Test
    void theFirstVersionOfControlGroupsHasAQuotaToo() {
        write("proc/7/mountinfo", FIRST);
        write("proc/7/cgroup", "4:cpu,cpuacct:/till\n3:memory:/other\n");
        write("sys/fs/cgroup/cpu,cpuacct/till/cpu.cfs_quota_us", "50000\n");
        write("sys/fs/cgroup/cpu,cpuacct/till/cpu.cfs_period_us", "100000\n");
        assertThat(quota()).hasValue(0.5);
    }

    @Test
    void aQuotaThatIsNotSetIsNone() {
        write("proc/7/mountinfo", FIRST + SECOND);
        write("proc/7/cgroup", "4:cpu,cpuacct:/\n0::/\n");
        write("sys/fs/cgroup/cpu.max", "max 100000\n");
        write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
        assertThat(quota()).isEmpty();
    }

    @Test
    void aGroupBelowTheMountedOneIsFound() {
        write("proc/7/mountinfo", SECOND.replace(" / /sys", " /docker/abc /sys"));
        write("proc/7/cgroup", "0::/docker/abc/inner\n");
        write("sys/fs/cgroup/inner/cpu.max", "200000 100000\n");
        assertThat(quota()).hasValue(2.0);
    }

    @Test
    void aNumberOfTheKernelIsReadAsAWhole() throws IOException {
        Path file = Path.of("/proc/sys/kernel/pid_max");
        try (var lines = Files.newBufferedReader(file)) {
            assertThat(KernelFiles.SYSTEM.number(file.toString().substring(1))).hasValue(Long.parseLong(lines.readLine()));
        }
    }

    private OptionalDouble quota() {
        return Confines.of(Examinations.files(root), "7").quotaCpus();
    }

    private void write(String name, String text) {
        try {
            Files.createDirectories(root.resolve(name).getParent());
            Files.writeString(root.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
