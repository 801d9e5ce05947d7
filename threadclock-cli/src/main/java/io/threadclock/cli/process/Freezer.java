// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import io.threadclock.ControlGroup;
import java.util.Optional;

/** Control groups that freeze processes. */
final class Freezer {
    private Freezer() {}

    /**
     * The group that keeps a process frozen, or is about to: the uppermost one that says so. Empty if none does that can
     * be seen from here.
     *
     * @param files the files of the machine
     */
    static Optional<String> of(KernelFiles files, ProcessFiles process) {
        return ControlGroup.of(process.text("cgroup").orElse(""), "freezer").stream()
                .flatMap(group -> group.directories(files.root()).stream()
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
}
