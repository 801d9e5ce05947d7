// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.view;

import io.threadclock.cli.process.KernelFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What {@code /proc} shows of one process and its threads from outside. What has ended is empty. */
public final class TaskFiles {
    private final Path process;

    public TaskFiles(Path proc, int pid) {
        this.process = proc.resolve(Integer.toString(pid));
    }

    Optional<TaskStat> process() {
        return stat(process);
    }

    public Optional<TaskStat> thread(int tid) {
        return stat(task(tid));
    }

    /** Of each thread, by age. */
    List<Integer> tids() {
        List<Integer> tids = new ArrayList<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            tasks.forEach(task -> tids.add(Integer.valueOf(task.getFileName().toString())));
        } catch (IOException | DirectoryIteratorException ended) {
            return tids;
        }
        return tids;
    }

    /** Its CPU time, exact; empty where the kernel does not tell it. */
    Optional<Long> cpuNs(int tid) {
        return text(task(tid).resolve("schedstat"))
                .map(line -> Long.valueOf(line.substring(0, line.indexOf(' '))))
                .filter(ns -> ns > 0);
    }

    private Path task(int tid) {
        return process.resolve("task").resolve(Integer.toString(tid));
    }

    private static Optional<TaskStat> stat(Path directory) {
        return text(directory.resolve("stat")).map(TaskStat::parse);
    }

    private static Optional<String> text(Path file) {
        return KernelFiles.read(file).filter(text -> !text.isEmpty());
    }
}
