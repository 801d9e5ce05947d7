// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import io.threadclock.diagnostics.ControlGroup;
import java.nio.file.Path;
import java.util.Optional;

/** Control groups that freeze processes. */
final class Freezer {
    private Freezer() {}

    /**
     * The group that keeps a process frozen, or is about to: the uppermost one that says so. Empty if none does that can
     * be seen from here.
     *
     * @param root the root of the file system; another one in tests
     */
    static Optional<String> of(Path root, ProcessFiles process) {
        return ControlGroup.of(process.text("cgroup").orElse(""), "freezer").stream()
                .flatMap(group -> group.directories(root).stream()
                        .filter(directory -> isFrozen(root, directory))
                        .reduce((lower, upper) -> upper)
                        .stream())
                .findFirst();
    }

    /**
     * In the second version, cgroup.freeze has the order, and cgroup.events the state, which may come from a group above that
     * cannot be seen from here.
     */
    private static boolean isFrozen(Path root, String directory) {
        String first = ControlGroup.text(root, directory, "freezer.state").strip();
        return ControlGroup.text(root, directory, "cgroup.freeze").equals("1\n")
                || ControlGroup.text(root, directory, "cgroup.events").lines().anyMatch("frozen 1"::equals)
                || first.equals("FROZEN")
                || first.equals("FREEZING");
    }
}
