// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import java.util.regex.Pattern;

/**
 * What the path of a process's control group says about it. Docker, containerd, CRI-O and Podman write ids of containers there,
 * Kubernetes those of pods, and systemd the names of units. Each is empty if it is not known.
 *
 * @param container its id, of 64 digits
 * @param pod its uid
 * @param unit the innermost service or scope that is no container
 */
record GroupPath(String container, String pod, String unit) {
    private static final Pattern CONTAINER = Pattern.compile(".*[/:-]([0-9a-f]{64})(?:\\.scope)?(?:/.*)?");
    private static final Pattern POD =
            Pattern.compile(".*[/-]pod([0-9a-f]{8}(?:[-_]?[0-9a-f]{4}){3}[-_]?[0-9a-f]{12})(?:\\.slice)?(?:[/:].*)?");
    private static final Pattern UNIT =
            Pattern.compile(".*/((?![^/]*[0-9a-f]{64}\\.scope)[^/]+\\.(?:service|scope))(?:/.*)?");

    /** @param processGroups the content of {@code /proc/PID/cgroup}, of the first or the second version */
    static GroupPath of(String processGroups) {
        return new GroupPath(
                find(CONTAINER, processGroups), find(POD, processGroups).replace('_', '-'), find(UNIT, processGroups));
    }

    private static String find(Pattern pattern, String processGroups) {
        return processGroups
                .lines()
                .map(pattern::matcher)
                .filter(line -> line.matches())
                .map(line -> line.group(1))
                .findFirst()
                .orElse("");
    }
}
