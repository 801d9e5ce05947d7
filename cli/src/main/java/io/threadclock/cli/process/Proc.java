// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The kernel's file system of processes. {@link Target} opens a process. */
public record Proc(Path mount) {
    public static final Proc SYSTEM = new Proc(Path.of("/proc"));

    /** The name that this machine, or this container, has for itself. */
    public String hostName() {
        return KernelFiles.read(mount.resolve("sys/kernel/hostname"))
                .map(String::strip)
                .orElse("?");
    }

    /** The files of the machine whose processes these are. */
    KernelFiles machine() {
        return new KernelFiles(mount.getParent());
    }

    public ProcessFiles self() {
        return new ProcessFiles(mount.resolve("self"));
    }

    ProcessStatus ownStatus() {
        return self().status().orElseThrow(() -> new IllegalStateException("no " + mount + "/self/status can be read"));
    }

    /**
     * Holds the process that has this pid now, so that no other one that gets the pid is taken for it; empty if there
     * is none.
     */
    Optional<ProcessFiles> held(int pid) {
        try {
            return Optional.of(new ProcessFiles(OpenFolder.of(folder(pid))));
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    /** The process that has this pid at each access, for lists from which somebody chooses. */
    ProcessFiles anyOf(int pid) {
        return new ProcessFiles(folder(pid));
    }

    /**
     * That of a thread which lives, once the first one has ended: from then on, the process's own shows no memory, no
     * root and no program.
     */
    private Path folder(int pid) {
        Path first = mount.resolve(Integer.toString(pid));
        ProcessFiles files = new ProcessFiles(first);
        return files.firstHasEnded() ? files.livingThread().map(mount::resolve).orElse(first) : first;
    }

    List<Integer> pids() {
        return ProcessFiles.list(mount).stream()
                .filter(name -> name.matches("\\d{1,9}"))
                .map(Integer::valueOf)
                .toList();
    }
}
