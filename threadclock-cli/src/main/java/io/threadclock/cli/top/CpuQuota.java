// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/** How many cores the control groups of a process allow it, the least of it and those above. */
final class CpuQuota {
    private final Path proc;
    private final Path groups;

    /** @param groups where the control groups are mounted: {@code /sys/fs/cgroup} */
    CpuQuota(Path proc, Path groups) {
        this.proc = proc;
        this.groups = groups;
    }

    /** Empty: all that the machine has. */
    OptionalDouble cores(int pid) {
        return text(proc.resolve(pid + "/cgroup")).lines()
                .mapToDouble(this::coresOfLine)
                .filter(cores -> cores > 0)
                .min();
    }

    /** {@code 0::/path} of version 2, {@code 4:cpu,cpuacct:/path} of version 1. */
    private double coresOfLine(String line) {
        String[] fields = line.split(":", 3);
        if (fields.length < 3) {
            return 0;
        }
        if (fields[1].isEmpty()) {
            return least(groups, fields[2], CpuQuota::ofVersion2);
        }
        boolean isCpu = ("," + fields[1] + ",").contains(",cpu,");
        return isCpu ? least(groups.resolve("cpu"), fields[2], CpuQuota::ofVersion1) : 0;
    }

    private interface Group {
        double cores(Path directory);
    }

    /** In a container the path may lead outside of what is mounted here: then the mount is its own group. */
    private static double least(Path mount, String path, Group group) {
        Path at = mount.resolve(path.replaceFirst("^/+", "")).normalize();
        at = at.startsWith(mount) && Files.isDirectory(at) ? at : mount;
        double least = 0;
        for (; at != null && at.startsWith(mount); at = at.getParent()) {
            double cores = group.cores(at);
            least = cores > 0 && (least == 0 || cores < least) ? cores : least;
        }
        return least;
    }

    private static double ofVersion2(Path directory) {
        String[] words = text(directory.resolve("cpu.max")).strip().split(" ");
        return words.length == 2 && !words[0].equals("max") ? ratio(words[0], words[1]) : 0;
    }

    private static double ofVersion1(Path directory) {
        return ratio(text(directory.resolve("cpu.cfs_quota_us")), text(directory.resolve("cpu.cfs_period_us")));
    }

    private static double ratio(String quotaUs, String periodUs) {
        try {
            double cores = Double.parseDouble(quotaUs.strip()) / Double.parseDouble(periodUs.strip());
            return cores > 0 ? cores : 0;
        } catch (NumberFormatException absent) {
            return 0;
        }
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException absent) {
            return "";
        }
    }
}
