// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

    /**
     * A control group that has a quota, and how it has throttled its processes since it was made. A group is throttled
     * in a period of, mostly, 100 ms, if it has used up the quota of that period.
     *
     * @param directory its files
     * @param cpus the number of CPUs whose time it allows
     * @param periods those in which its processes wanted to run; −1: the kernel does not tell
     * @param throttledPeriods those of them in which they had to wait; −1: the kernel does not tell
     */
    public record Group(String directory, double cpus, long periods, long throttledPeriods) {}

    /** The number of CPUs whose time the groups allow; infinite if there is no quota, or none can be seen. */
    public double cpus() {
        return groups.stream().mapToDouble(Group::cpus).min().orElse(Double.POSITIVE_INFINITY);
    }

    /**
     * Uses our own mounts, because those of a process in a container only lead to its groups inside it.
     *
     * @param files the files of the machine
     */
    public static CpuQuota of(KernelFiles files, ProcessFiles process) {
        return Membership.of(process)
                .map(its -> its.hierarchies(files)
                        .filter(hierarchy -> hierarchy.isIn(files))
                        .findFirst()
                        .map(hierarchy -> new CpuQuota(true, hierarchy.groups(files)))
                        .orElse(UNKNOWN))
                .orElse(NONE);
    }

    /**
     * The group of a process in the hierarchy that has the controller cpu, of which there is one.
     *
     * @param isSecond whether it is of the second version of control groups
     * @param path from the root of our cgroup namespace; it begins with /.. if it is outside of that
     */
    private record Membership(boolean isSecond, String path) {
        /** Empty if the kernel has no control groups. */
        static Optional<Membership> of(ProcessFiles process) {
            List<String[]> lines = process.text("cgroup")
                    .orElse("")
                    .lines()
                    .map(line -> line.split(":", 3))
                    .filter(fields -> fields.length == 3)
                    .toList();
            Stream<Membership> first =
                    lines.stream().filter(fields -> hasCpu(fields[1])).map(fields -> new Membership(false, fields[2]));
            Stream<Membership> second =
                    lines.stream().filter(fields -> fields[1].isEmpty()).map(fields -> new Membership(true, fields[2]));
            return Stream.concat(first, second).findFirst();
        }

        Stream<Hierarchy> hierarchies(KernelFiles files) {
            return files.text("proc/self/mountinfo")
                    .lines()
                    .map(line -> line.split(" - ", 2))
                    .filter(halves -> halves.length == 2)
                    .flatMap(halves -> hierarchy(halves[0].split(" "), halves[1].split(" ")).stream());
        }

        /** The fields are those of proc_pid_mountinfo(5). */
        private Optional<Hierarchy> hierarchy(String[] mount, String[] fileSystem) {
            boolean isIts = isSecond
                    ? fileSystem[0].equals("cgroup2")
                    : fileSystem[0].equals("cgroup") && hasCpu(fileSystem[2]);
            String root = mount[3].equals("/") ? "" : mount[3];
            String group = path.equals("/") ? "" : path;
            boolean isBelow = group.equals(root) || group.startsWith(root + "/");
            return isIts && isBelow && !group.startsWith("/..", root.length())
                    ? Optional.of(new Hierarchy(mount[4], group.substring(root.length())))
                    : Optional.empty();
        }
    }

    private static boolean hasCpu(String controllers) {
        return Arrays.asList(controllers.split(",")).contains("cpu");
    }

    /** @param group below the mount; empty: its root */
    private record Hierarchy(String mount, String group) {
        boolean isIn(KernelFiles files) {
            return Files.isDirectory(files.root().resolve((mount + group).substring(1)));
        }

        List<Group> groups(KernelFiles files) {
            List<Group> groups = new ArrayList<>();
            for (String above = group; ; above = above.substring(0, above.lastIndexOf('/'))) {
                String directory = mount + above;
                double cpus = quota(files, directory);
                if (cpus < Double.POSITIVE_INFINITY) {
                    groups.add(new Group(
                            directory, cpus, count(files, directory, PERIODS), count(files, directory, THROTTLED)));
                }
                if (above.isEmpty()) {
                    return groups;
                }
            }
        }
    }

    /** Both versions of control groups have these words in this file. */
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
