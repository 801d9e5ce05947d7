// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuQuotaTest {
    private static final String SECOND = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
    private static final String FIRST = "31 23 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";

    @TempDir
    Path root;

    @Test
    void theLeastQuotaOfAllGroupsAboveCounts() {
        write("proc/self/mountinfo", SECOND);
        write("proc/7/cgroup", "0::/shop/till\n");
        write("sys/fs/cgroup/shop/till/cpu.max", "max 100000\n");
        write("sys/fs/cgroup/shop/cpu.max", "150000 100000\n");
        assertThat(quota().cpus()).isEqualTo(1.5);
    }

    @Test
    void theFirstVersionOfControlGroupsHasAQuotaToo() {
        write("proc/self/mountinfo", FIRST);
        write("proc/7/cgroup", "4:cpu,cpuacct:/till\n3:memory:/other\n");
        write("sys/fs/cgroup/cpu,cpuacct/till/cpu.cfs_quota_us", "50000\n");
        write("sys/fs/cgroup/cpu,cpuacct/till/cpu.cfs_period_us", "100000\n");
        assertThat(quota().cpus()).isEqualTo(0.5);
    }

    @Test
    void aGroupWithAQuotaTellsHowItHasThrottled() {
        write("proc/self/mountinfo", SECOND);
        write("proc/7/cgroup", "0::/shop/till\n");
        write("sys/fs/cgroup/shop/till/cpu.max", "max 100000\n");
        write("sys/fs/cgroup/shop/till/cpu.stat", "usage_usec 1\nnr_periods 0\nnr_throttled 0\n");
        write("sys/fs/cgroup/shop/cpu.max", "150000 100000\n");
        write("sys/fs/cgroup/shop/cpu.stat", "usage_usec 9\nnr_periods 1000\nnr_throttled 312\nthrottled_usec 7\n");
        assertThat(groups()).containsExactly(new CpuQuota.Group("/sys/fs/cgroup/shop", 1.5, 1000, 312, 7000));
    }

    @Test
    void soDoesAGroupOfTheFirstVersion() {
        write("proc/self/mountinfo", FIRST);
        write("proc/7/cgroup", "4:cpu,cpuacct:/till\n");
        write("sys/fs/cgroup/cpu,cpuacct/till/cpu.cfs_quota_us", "50000\n");
        write("sys/fs/cgroup/cpu,cpuacct/till/cpu.cfs_period_us", "100000\n");
        write("sys/fs/cgroup/cpu,cpuacct/till/cpu.stat", "nr_periods 20\nnr_throttled 3\nthrottled_time 9\n");
        assertThat(groups()).containsExactly(new CpuQuota.Group("/sys/fs/cgroup/cpu,cpuacct/till", 0.5, 20, 3, 9));
    }

    @Test
    void throttlingThatIsNotToldIsNotZero() {
        write("proc/self/mountinfo", SECOND);
        write("proc/7/cgroup", "0::/\n");
        write("sys/fs/cgroup/cpu.max", "200000 100000\n");
        assertThat(groups()).containsExactly(new CpuQuota.Group("/sys/fs/cgroup", 2, -1, -1, -1));
    }

    private List<CpuQuota.Group> groups() {
        return quota().groups();
    }

    @Test
    void aQuotaThatIsNotSetIsNone() {
        write("proc/self/mountinfo", FIRST + SECOND);
        write("proc/7/cgroup", "4:cpu,cpuacct:/\n0::/\n");
        write("sys/fs/cgroup/cpu.max", "max 100000\n");
        write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
        assertThat(quota()).isEqualTo(CpuQuota.NONE);
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
        write("proc/self/mountinfo", SECOND);
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
        assertThat(quota()).isEqualTo(new CpuQuota(false, List.of()));
    }

    @Test
    void aMountInWhichTheGroupIsCounts() {
        write("proc/self/mountinfo", SECOND.replace(" / /sys", " /docker/abc /sys") + SECOND.replace("/sys", "/host"));
        write("proc/7/cgroup", "0::/till\n");
        write("sys/fs/cgroup/cpu.max", "200000 100000\n");
        write("host/fs/cgroup/till/cpu.max", "50000 100000\n");
        assertThat(quota().cpus()).isEqualTo(0.5);
    }

    @Test
    void withoutGroupsThereIsNone() {
        assertThat(quota()).isEqualTo(CpuQuota.NONE);
    }

    private CpuQuota quota() {
        return CpuQuota.of(new KernelFiles(root), FakeProc.files(root.resolve("proc/7")));
    }

    private void write(String name, String text) {
        FakeProc.write(root.resolve(name), text);
    }
}
