// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The CPU quotas of a process: those of its control group and of the groups above, as far as they can be seen from
 * here.
 *
 * @param isKnown whether its own group can be seen: it is mounted here, and inside this program's cgroup namespace
 * @param groups those that have a quota, from its own to the root
 */
public record CpuQuota(boolean isKnown, List<Group> groups) {
    public static final CpuQuota NONE = new CpuQuota(true, List.of());
    private static final CpuQuota UNKNOWN = new CpuQuota(false, List.of());
    private static final String NO_QUOTA = "max";
    private static final Pattern PERIODS = Pattern.compile("(?m)^nr_periods (\\d{1,18})$");
    private static final Pattern THROTTLED = Pattern.compile("(?m)^nr_throttled (\\d{1,18})$");
    private static final Pattern THROTTLED_US = Pattern.compile("(?m)^throttled_usec (\\d{1,15})$");
    private static final Pattern THROTTLED_NS = Pattern.compile("(?m)^throttled_time (\\d{1,18})$");

    /**
     * A control group that has a quota, and how it has throttled its processes since it was made. A group is throttled
     * in a period of, mostly, 100 ms, if it has used up the quota of that period.
     *
     * @param directory its files
     * @param cpus the number of CPUs whose time it allows
     * @param periods those in which its processes wanted to run; −1: the kernel does not tell
     * @param throttledPeriods those of them in which they had to wait; −1: the kernel does not tell
     * @param throttledNs the time for which they had to, added up over the CPUs; −1: the kernel does not tell
     */
    public record Group(String directory, double cpus, long periods, long throttledPeriods, long throttledNs) {}

    /** The group that allows least; empty if there is no quota, or none can be seen. */
    public Optional<Group> tightest() {
        return groups.stream().min(Comparator.comparingDouble(Group::cpus));
    }

    /** The number of CPUs whose time the groups allow; infinite if there is no quota, or none can be seen. */
    public double cpus() {
        return tightest().map(Group::cpus).orElse(Double.POSITIVE_INFINITY);
    }

    /** @param files the files of the machine */
    public static CpuQuota of(KernelFiles files, ProcessFiles process) {
        return ControlGroup.of(process, "cpu")
                .findFirst()
                .map(its -> of(files, its.directories(files)))
                .orElse(NONE);
    }

    private static CpuQuota of(KernelFiles files, List<String> directories) {
        List<Group> groups = new ArrayList<>();
        for (String directory : directories) {
            double cpus = quota(files, directory);
            if (cpus < Double.POSITIVE_INFINITY) {
                groups.add(new Group(
                        directory,
                        cpus,
                        count(files, directory, PERIODS),
                        count(files, directory, THROTTLED),
                        throttledNs(files, directory)));
            }
        }
        return directories.isEmpty() ? UNKNOWN : new CpuQuota(true, groups);
    }

    /** The second version counts in µs, the first one in ns. */
    private static long throttledNs(KernelFiles files, String directory) {
        long us = count(files, directory, THROTTLED_US);
        return us < 0 ? count(files, directory, THROTTLED_NS) : TimeUnit.MICROSECONDS.toNanos(us);
    }

    /** Both versions of control groups have this file. */
    private static long count(KernelFiles files, String directory, Pattern word) {
        return files.find(directory.substring(1) + "/cpu.stat", word)
                .map(Long::valueOf)
                .orElse(-1L);
    }

    /** The quota in CPUs; infinite if there is none. */
    private static double quota(KernelFiles files, String directory) {
        String place = directory.substring(1);
        String[] second = files.text(place + "/cpu.max").strip().split(" ");
        if (second.length == 2 && !second[0].equals(NO_QUOTA)) {
            return Double.parseDouble(second[0]) / Double.parseDouble(second[1]);
        }
        long first = files.number(place + "/cpu.cfs_quota_us").orElse(-1);
        long period = files.number(place + "/cpu.cfs_period_us").orElse(0);
        return first > 0 && period > 0 ? (double) first / period : Double.POSITIVE_INFINITY;
    }
}
