// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The control group of a process in one hierarchy, of the first or the second version of control groups. Immutable.
 *
 * @since 0.1
 */
public final class ControlGroup {
    private final String controller;
    private final String path;

    private ControlGroup(String controller, String path) {
        this.controller = controller;
        this.path = path;
    }

    /**
     * {@return the group in the hierarchy of the first version that has this controller, and that in the hierarchy of
     * the second version; empty if the kernel has no control groups}
     *
     * @param processGroups the content of the process's {@code /proc/PID/cgroup}
     * @param controller such as {@code cpu}
     */
    public static List<ControlGroup> of(String processGroups, String controller) {
        List<ControlGroup> first = new ArrayList<>();
        List<ControlGroup> second = new ArrayList<>();
        for (String line : processGroups.split("\n")) {
            String[] fields = line.split(":", 3);
            if (fields.length == 3 && has(fields[1], controller)) {
                first.add(new ControlGroup(controller, fields[2]));
            } else if (fields.length == 3 && fields[1].isEmpty()) {
                second.add(new ControlGroup("", fields[2]));
            }
        }
        first.addAll(second);
        return first;
    }

    /**
     * {@return the directories of the group and of those above it, from its own to the root of what is mounted; empty
     * if its own cannot be seen by this process} Uses this process's mounts, because those of a process in a container
     * only lead to its groups inside it. Reads one file.
     *
     * @param root the root of the file system; another one in tests
     */
    public List<String> directories(Path root) {
        for (String mount : text(root, "/proc/self", "mountinfo").split("\n")) {
            String[] halves = mount.split(" - ", 2);
            List<String> all = halves.length == 2
                    ? directories(halves[0].split(" "), halves[1].split(" "))
                    : Collections.emptyList();
            // A Path throws for a group's name that the locale cannot express, and a File is one that is not there.
            if (!all.isEmpty() && new File(root.toFile(), all.get(0)).isDirectory()) {
                return all;
            }
        }
        return Collections.emptyList();
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
            return Collections.emptyList();
        }
        List<String> all = new ArrayList<>();
        String above = group.substring(root.length());
        for (; !above.isEmpty(); above = above.substring(0, above.lastIndexOf('/'))) {
            all.add(mount[4] + above);
        }
        all.add(mount[4]);
        return all;
    }

    private static boolean has(String controllers, String controller) {
        return Arrays.asList(controllers.split(",")).contains(controller);
    }

    /** The content of a file of the kernel's; empty if it does not exist, or may not be read, as in many containers. */
    static String text(Path root, String directory, String name) {
        try {
            Path file = root.resolve(directory.substring(1)).resolve(name);
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException | RuntimeException absent) { // or a security manager's refusal
            return "";
        }
    }
}
