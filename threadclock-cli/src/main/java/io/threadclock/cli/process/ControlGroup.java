// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The control group of a process in one hierarchy.
 *
 * @param controller that of the hierarchy, if it is of the first version of control groups; empty: of the second
 * @param path from the root of our cgroup namespace; it begins with /.. if it is outside of that
 */
record ControlGroup(String controller, String path) {

    /**
     * The groups of a process in the hierarchy of the first version that has this controller, and in that of the second
     * version; empty if the kernel has no control groups.
     */
    static Stream<ControlGroup> of(ProcessFiles process, String controller) {
        List<String[]> lines = process.text("cgroup")
                .orElse("")
                .lines()
                .map(line -> line.split(":", 3))
                .filter(fields -> fields.length == 3)
                .toList();
        Stream<ControlGroup> first = lines.stream()
                .filter(fields -> has(fields[1], controller))
                .map(fields -> new ControlGroup(controller, fields[2]));
        Stream<ControlGroup> second =
                lines.stream().filter(fields -> fields[1].isEmpty()).map(fields -> new ControlGroup("", fields[2]));
        return Stream.concat(first, second);
    }

    /**
     * The group that keeps a process frozen, or is about to: the uppermost one that says so. Empty if none does that can
     * be seen from here.
     *
     * @param files the files of the machine
     */
    static Optional<String> thatFreezes(KernelFiles files, ProcessFiles process) {
        return of(process, "freezer")
                .flatMap(group -> group.directories(files).stream()
                        .filter(directory -> isFrozen(files, directory.substring(1)))
                        .reduce((lower, upper) -> upper)
                        .stream())
                .findFirst();
    }

    /**
     * In the second version, cgroup.freeze has the order, and cgroup.events the state, which may come from a group above that
     * cannot be seen from here.
     */
    private static boolean isFrozen(KernelFiles files, String place) {
        String first = files.text(place + "/freezer.state").strip();
        return files.number(place + "/cgroup.freeze").orElse(0) == 1
                || files.text(place + "/cgroup.events").lines().anyMatch("frozen 1"::equals)
                || first.equals("FROZEN")
                || first.equals("FREEZING");
    }

    /**
     * The directories of the group and of those above it, from its own to the root of what is mounted; empty if its own
     * cannot be seen from here. Uses our own mounts, because those of a process in a container only lead to its groups
     * inside it.
     *
     * @param files the files of the machine
     */
    List<String> directories(KernelFiles files) {
        return files.text("proc/self/mountinfo")
                .lines()
                .map(line -> line.split(" - ", 2))
                .filter(halves -> halves.length == 2)
                .map(halves -> directories(halves[0].split(" "), halves[1].split(" ")))
                .filter(all -> !all.isEmpty()
                        && Files.isDirectory(files.root().resolve(all.get(0).substring(1))))
                .findFirst()
                .orElse(List.of());
    }

    /** The fields are those of proc_pid_mountinfo(5). */
    private List<String> directories(String[] mount, String[] fileSystem) {
        boolean isIts = controller.isEmpty()
                ? fileSystem[0].equals("cgroup2")
                : fileSystem[0].equals("cgroup") && has(fileSystem[2], controller);
        String root = mount[3].equals("/") ? "" : mount[3];
        String group = path.equals("/") ? "" : path;
        boolean isBelow = group.equals(root) || group.startsWith(root + "/");
        if (!isIts || !isBelow || group.startsWith("/..", root.length())) {
            return List.of();
        }
        return Stream.iterate(
                        group.substring(root.length()),
                        above -> above != null,
                        above -> above.isEmpty() ? null : above.substring(0, above.lastIndexOf('/')))
                .map(above -> mount[4] + above)
                .toList();
    }

    private static boolean has(String controllers, String controller) {
        return Arrays.asList(controllers.split(",")).contains(controller);
    }
}
