// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuQuotaTest {
    private static final String SECOND = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
    private static final String FIRST = "31 23 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";

    @TempDir
    Path root;

    @BeforeEach
    void mountTheSecondVersion() {
        write("proc/self/mountinfo", SECOND);
    }

    @Test
    void theLeastQuotaOfAllGroupsAboveCounts() {
        write("proc/7/cgroup", "0::/shop/till\n");
        write("sys/fs/cgroup/shop/till/cpu.max", "max 100000\n");
        write("sys/fs/cgroup/shop/cpu.max", "150000 100000\n");
        write("sys/fs/cgroup/cpu.max", "200000 100000\n");
        assertThat(quota().cpus()).isEqualTo(1.5);
    }

    @Test
    void aGroupWithAQuotaTellsHowItHasThrottled() {
        write("proc/7/cgroup", "0::/shop/till\n");
        write("sys/fs/cgroup/shop/till/cpu.max", "max 100000\n");
        write("sys/fs/cgroup/shop/till/cpu.stat", "usage_usec 1\nnr_periods 0\nnr_throttled 0\n");
        write("sys/fs/cgroup/shop/cpu.max", "150000 100000\n");
        write("sys/fs/cgroup/shop/cpu.stat", "usage_usec 9\nnr_periods 1000\nnr_throttled 312\nthrottled_usec 7\n");
        assertThat(quota())
                .hasToString("[/sys/fs/cgroup/shop: 1.5 CPUs, throttled in 312 of 1000 periods, for 7000 ns]");
    }

    @Test
    void soDoesAGroupOfTheFirstVersionWhichHasAQuotaToo() {
        write("proc/self/mountinfo", FIRST);
        write("proc/7/cgroup", "4:cpu,cpuacct:/till\n3:memory:/other\n");
        write("sys/fs/cgroup/cpu,cpuacct/till/cpu.cfs_quota_us", "50000\n");
        write("sys/fs/cgroup/cpu,cpuacct/till/cpu.cfs_period_us", "100000\n");
        assertThat(quota().cpus()).isEqualTo(0.5);
        write("sys/fs/cgroup/cpu,cpuacct/till/cpu.stat", "nr_periods 20\nnr_throttled 3\nthrottled_time 9\n");
        assertThat(quota())
                .hasToString("[/sys/fs/cgroup/cpu,cpuacct/till: 0.5 CPUs, throttled in 3 of 20 periods, for 9 ns]");
    }

    @Test
    void throttlingThatIsNotToldIsNotZero() {
        write("proc/7/cgroup", "0::/\n");
        write("sys/fs/cgroup/cpu.max", "200000 100000\n");
        assertThat(quota()).hasToString("[/sys/fs/cgroup: 2.0 CPUs, throttled in -1 of -1 periods, for -1 ns]");
    }

    @Test
    void aQuotaThatIsNotSetIsNone() {
        write("proc/self/mountinfo", FIRST + SECOND);
        write("proc/7/cgroup", "4:cpu,cpuacct:/\n0::/\n");
        write("sys/fs/cgroup/cpu.max", "max 100000\n");
        write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
        assertThat(quota()).isSameAs(CpuQuota.NONE).returns(Double.POSITIVE_INFINITY, CpuQuota::cpus);
    }

    @Test
    void aGroupBelowTheMountedOneIsFound() {
        write("proc/self/mountinfo", SECOND.replace(" / /sys", " /docker/abc /sys"));
        write("proc/7/cgroup", "0::/docker/abc/inner\n");
        write("sys/fs/cgroup/inner/cpu.max", "200000 100000\n");
        assertThat(quota().cpus()).isEqualTo(2.0);
    }

    @Test
    void aProcessInAContainerHasThatOfItsGroupOutHere() {
        write("proc/7/mountinfo", SECOND.replace(" / /sys", " /docker/abc /sys"));
        write("proc/7/cgroup", "0::/docker/abc\n");
        write("sys/fs/cgroup/docker/abc/cpu.max", "50000 100000\n");
        assertThat(quota().cpus()).isEqualTo(0.5);
    }

    @ParameterizedTest
    @CsvSource({
        "/, /../till",
        "/, /..",
        "/docker/abc, /elsewhere",
        "/docker/abc, /docker/abcd",
        "/docker/abc, /docker",
        "/../.., /",
        "/, /removed"
    })
    void thatOfAGroupThatCannotBeSeenIsNotOurs(String root, String group) {
        write("proc/self/mountinfo", SECOND.replace(" / /sys", " " + root + " /sys"));
        write("proc/7/cgroup", "0::" + group + "\n");
        write("sys/fs/cgroup/cpu.max", "200000 100000\n");
        assertThat(quota()).hasToString("unknown").returns(Double.POSITIVE_INFINITY, CpuQuota::cpus);
    }

    @Test
    void aMountInWhichTheGroupIsCounts() {
        write("proc/self/mountinfo", SECOND.replace(" / /sys", " /docker/abc /sys") + SECOND.replace("/sys", "/host"));
        write("proc/7/cgroup", "0::/till\n");
        write("sys/fs/cgroup/cpu.max", "200000 100000\n");
        write("host/fs/cgroup/till/cpu.max", "50000 100000\n");
        assertThat(quota().cpus()).isEqualTo(0.5);
    }

    /** In the locale C, é is no more a part of a path than NUL is. */
    @Test
    void aGroupThatCanBeNoPathIsUnknown() {
        write("proc/7/cgroup", "0::/caf\0\n");
        assertThat(quota()).hasToString("unknown");
    }

    @Test
    void withoutGroupsThereIsNone() throws IOException {
        Files.delete(root.resolve("proc/self/mountinfo"));
        assertThat(quota()).isSameAs(CpuQuota.NONE).returns(Double.POSITIVE_INFINITY, CpuQuota::cpus);
    }

    private CpuQuota quota() {
        return CpuQuota.of(root, ControlGroup.text(root, "/proc/7", "cgroup"));
    }

    private void write(String name, String text) {
        Path file = root.resolve(name);
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }
}
