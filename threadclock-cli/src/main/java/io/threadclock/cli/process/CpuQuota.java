// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * The number of CPUs whose time the control groups of a process allow: the least of its group and of those above, as
 * far as they can be seen from here.
 */
public final class CpuQuota {
    private static final String NO_QUOTA = "max";
    private static final Pattern PERIODS = Pattern.compile("(?m)^nr_periods (\\d{1,18})$");
    private static final Pattern THROTTLED = Pattern.compile("(?m)^nr_throttled (\\d{1,18})$");

    private final KernelFiles files;
    private final ProcessFiles process;

    private CpuQuota(KernelFiles files, ProcessFiles process) {
        this.files = files;
        this.process = process;
    }

    /** @param files the files of the machine */
    public static OptionalDouble of(KernelFiles files, ProcessFiles process) {
        return groups(files, process).stream().mapToDouble(Group::cpus).min();
    }

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

    /** The groups that have a quota, from its own to the root. */
    public static List<Group> groups(KernelFiles files, ProcessFiles process) {
        return new CpuQuota(files, process).groups();
    }

    private List<Group> groups() {
        List<Group> groups = new ArrayList<>();
        for (Hierarchy hierarchy : hierarchies()) {
            String group = hierarchy.group();
            while (true) {
                String directory = hierarchy.mount() + group;
                double cpus = quota(directory);
                if (cpus < Double.POSITIVE_INFINITY) {
                    groups.add(new Group(directory, cpus, count(directory, PERIODS), count(directory, THROTTLED)));
                }
                if (group.isEmpty()) {
                    break;
                }
                group = group.substring(0, group.lastIndexOf('/'));
            }
        }
        return groups;
    }

    /** Both versions of control groups have these words in this file. */
    private long count(String directory, Pattern word) {
        return files.find(directory.substring(1) + "/cpu.stat", word)
                .map(Long::valueOf)
                .orElse(-1L);
    }

    /** @param group below the mount; empty: its root */
    private record Hierarchy(String mount, String group) {}

    /** Uses our own mounts, because those of a process in a container only lead to its groups inside it. */
    private List<Hierarchy> hierarchies() {
        return files.text("proc/self/mountinfo")
                .lines()
                .map(line -> line.split(" - ", 2))
                .filter(halves -> halves.length == 2)
                .flatMap(halves -> hierarchy(halves[0].split(" "), halves[1].split(" ")).stream())
                .toList();
    }

    /** The fields are those of proc_pid_mountinfo(5). */
    private List<Hierarchy> hierarchy(String[] mount, String[] fileSystem) {
        boolean isSecond = fileSystem[0].equals("cgroup2");
        if (!isSecond && !(fileSystem[0].equals("cgroup") && hasCpu(fileSystem[2]))) {
            return List.of();
        }
        String root = mount[3].equals("/") ? "" : mount[3];
        return process.text("cgroup")
                .orElse("")
                .lines()
                .map(line -> line.split(":", 3))
                .filter(fields -> fields.length == 3 && (isSecond ? fields[1].isEmpty() : hasCpu(fields[1])))
                .map(fields -> fields[2].equals("/") ? "" : fields[2])
                .map(group -> new Hierarchy(mount[4], group.startsWith(root) ? group.substring(root.length()) : ""))
                .toList();
    }

    private static boolean hasCpu(String controllers) {
        return Arrays.asList(controllers.split(",")).contains("cpu");
    }

    /** The quota in CPUs; infinite if there is none. */
    private double quota(String directory) {
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
