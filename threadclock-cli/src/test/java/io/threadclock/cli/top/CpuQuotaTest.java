// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuQuotaTest {
    @TempDir
    Path directory;

    private Path groups;

    @BeforeEach
    void mount() throws IOException {
        groups = Files.createDirectories(directory.resolve("cgroup"));
        Files.createDirectories(directory.resolve("proc/7"));
    }

    private void write(String file, String text) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private OptionalDouble cores() {
        return new CpuQuota(directory.resolve("proc"), groups).cores(7);
    }

    @Test
    void isTheLeastOfAllGroupsAbove() throws IOException {
        write("proc/7/cgroup", "0::/slice/unit\n");
        write("cgroup/slice/cpu.max", "150000 100000\n");
        write("cgroup/slice/unit/cpu.max", "400000 100000\n");
        assertThat(cores()).hasValue(1.5);
    }

    @Test
    void maxIsNone() throws IOException {
        write("proc/7/cgroup", "0::/unit\n");
        write("cgroup/unit/cpu.max", "max 100000\n");
        assertThat(cores()).isEmpty();
    }

    @Test
    void version1IsReadFromItsOwnMount() throws IOException {
        write("proc/7/cgroup", "5:memory:/a\n4:cpu,cpuacct:/a\n");
        write("cgroup/cpu/a/cpu.cfs_quota_us", "50000\n");
        write("cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
        assertThat(cores()).hasValue(0.5);
    }

    @Test
    void inAContainerTheMountIsItsOwnGroup() throws IOException {
        write("proc/7/cgroup", "0::/docker/4711\n");
        write("cgroup/cpu.max", "200000 100000\n");
        assertThat(cores()).hasValue(2);
    }

    @Test
    void withoutGroupsThereIsNone() {
        assertThat(cores()).isEmpty();
    }
}
