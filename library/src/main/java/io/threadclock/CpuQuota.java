// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The CPU quotas of a process, as containers have them: those of its control group and of the groups above, as far as
 * this process can see them. Immutable.
 *
 * @since 0.1
 */
public final class CpuQuota {
    /** In place of a count or a time, if the kernel does not tell it. */
    public static final long UNKNOWN = -1;

    /** The quotas of a process that has none. */
    public static final CpuQuota NONE = new CpuQuota(true, Collections.emptyList());

    private static final Path ROOT = Paths.get("/");
    private static final String NO_QUOTA = "max";
    private static final Pattern NUMBER = Pattern.compile("(-?\\d{1,18})\n");
    private static final Pattern PERIODS = Pattern.compile("(?m)^nr_periods (\\d{1,18})$");
    private static final Pattern THROTTLED = Pattern.compile("(?m)^nr_throttled (\\d{1,18})$");
    private static final Pattern THROTTLED_US = Pattern.compile("(?m)^throttled_usec (\\d{1,15})$");
    private static final Pattern THROTTLED_NS = Pattern.compile("(?m)^throttled_time (\\d{1,18})$");

    private final boolean isKnown;
    private final List<Group> groups;

    private CpuQuota(boolean isKnown, List<Group> groups) {
        this.isKnown = isKnown;
        this.groups = Collections.unmodifiableList(groups);
    }

    /**
     * {@return the quotas of this process now} Reads some files of the kernel's, two or three for each group.
     * Thread-safe.
     */
    public static CpuQuota read() {
        return of(ROOT, ControlGroup.text(ROOT, "/proc/self", "cgroup"));
    }

    /**
     * {@return the quotas of a process now} As {@link #read}.
     *
     * @param root the root of the file system; another one in tests
     * @param processGroups the content of the process's {@code /proc/PID/cgroup}
     */
    public static CpuQuota of(Path root, String processGroups) {
        List<ControlGroup> found = ControlGroup.of(processGroups, "cpu");
        if (found.isEmpty()) {
            return NONE;
        }
        List<String> directories = found.get(0).directories(root);
        List<Group> groups = new ArrayList<>();
        for (String directory : directories) {
            double cpus = quota(root, directory);
            if (cpus < Double.POSITIVE_INFINITY) {
                String counts = ControlGroup.text(root, directory, "cpu.stat"); // both versions have this file
                groups.add(new Group(
                        directory, cpus, number(counts, PERIODS), number(counts, THROTTLED), throttledNs(counts)));
            }
        }
        boolean isSeen = !directories.isEmpty();
        return isSeen && groups.isEmpty() ? NONE : new CpuQuota(isSeen, groups);
    }

    /** The second version counts in µs, the first one in ns. */
    private static long throttledNs(String counts) {
        long us = number(counts, THROTTLED_US);
        return us == UNKNOWN ? number(counts, THROTTLED_NS) : TimeUnit.MICROSECONDS.toNanos(us);
    }

    /** The quota in CPUs; infinite if there is none. */
    private static double quota(Path root, String directory) {
        String[] second = ControlGroup.text(root, directory, "cpu.max").trim().split(" ");
        if (second.length == 2 && !second[0].equals(NO_QUOTA)) {
            return Double.parseDouble(second[0]) / Double.parseDouble(second[1]);
        }
        long first = number(ControlGroup.text(root, directory, "cpu.cfs_quota_us"), NUMBER);
        long period = number(ControlGroup.text(root, directory, "cpu.cfs_period_us"), NUMBER);
        return first > 0 && period > 0 ? (double) first / period : Double.POSITIVE_INFINITY;
    }

    private static long number(String text, Pattern pattern) {
        Matcher found = pattern.matcher(text);
        return found.find() ? Long.parseLong(found.group(1)) : UNKNOWN;
    }

    /**
     * {@return whether the process's own group can be seen: it is mounted here, and inside this process's cgroup
     * namespace}
     */
    public boolean isKnown() {
        return isKnown;
    }

    /** {@return the groups that have a quota, from the process's own to the root} */
    public List<Group> groups() {
        return groups;
    }

    /** {@return the group that allows least; empty if there is no quota, or none can be seen} */
    public Optional<Group> tightest() {
        return groups.stream().min(Comparator.comparingDouble(Group::cpus));
    }

    /** {@return the number of CPUs whose time the groups allow; infinite if there is no quota, or none can be seen} */
    public double cpus() {
        return tightest().map(Group::cpus).orElse(Double.POSITIVE_INFINITY);
    }

    @Override
    public String toString() {
        return isKnown ? groups.toString() : "unknown";
    }

    /**
     * A control group that has a quota, and how it has throttled its processes since it was made. In a period of,
     * mostly, 100 ms in which its processes have used up the quota, they wait for the next one. Immutable.
     *
     * @since 0.1
     */
    public static final class Group {
        private final String directory;
        private final double cpus;
        private final long periods;
        private final long throttledPeriods;
        private final long throttledTimeNs;

        /**
         * A group with these figures.
         *
         * @param directory its files
         * @param cpus the number of CPUs whose time it allows
         * @param periods those in which its processes wanted to run, or {@link CpuQuota#UNKNOWN}
         * @param throttledPeriods those of them in which they had to wait, or {@link CpuQuota#UNKNOWN}
         * @param throttledTimeNs the time for which they had to, or {@link CpuQuota#UNKNOWN}
         */
        public Group(String directory, double cpus, long periods, long throttledPeriods, long throttledTimeNs) {
            this.directory = directory;
            this.cpus = cpus;
            this.periods = periods;
            this.throttledPeriods = throttledPeriods;
            this.throttledTimeNs = throttledTimeNs;
        }

        /** {@return its files} */
        public String directory() {
            return directory;
        }

        /** {@return the number of CPUs whose time it allows} */
        public double cpus() {
            return cpus;
        }

        /** {@return periods in which its processes wanted to run, or {@link CpuQuota#UNKNOWN}} */
        public long periods() {
            return periods;
        }

        /** {@return those of them in which they had to wait, or {@link CpuQuota#UNKNOWN}} */
        public long throttledPeriods() {
            return throttledPeriods;
        }

        /** {@return the time for which they had to, in ns, added up over the CPUs, or {@link CpuQuota#UNKNOWN}} */
        public long throttledTimeNs() {
            return throttledTimeNs;
        }

        @Override
        public String toString() {
            return directory + ": " + cpus + " CPUs, throttled in " + throttledPeriods + " of " + periods
                    + " periods, for " + throttledTimeNs + " ns";
        }
    }
}
