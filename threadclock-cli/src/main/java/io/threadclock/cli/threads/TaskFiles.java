// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import io.threadclock.cli.process.ProcessFiles;
import java.util.List;
import java.util.Optional;

/**
 * The files in which {@code /proc} shows one process and its threads from outside. They are empty for a thread that has
 * ended.
 */
public final class TaskFiles {
    private final ProcessFiles files;

    public TaskFiles(ProcessFiles files) {
        this.files = files;
    }

    Optional<TaskStat> process() {
        return stat("");
    }

    public Optional<TaskStat> thread(int tid) {
        return stat(task(tid));
    }

    /** The tids of all threads, by age. */
    public List<Integer> tids() {
        return files.names("task").stream().map(Integer::valueOf).toList();
    }

    /** Exact CPU time, and waits; empty if the kernel does not tell. */
    public Optional<SchedStat> schedStat(int tid) {
        return text(task(tid) + "schedstat").flatMap(SchedStat::parse);
    }

    private static String task(int tid) {
        return "task/" + tid + "/";
    }

    private Optional<TaskStat> stat(String folder) {
        return text(folder + "stat").map(TaskStat::parse);
    }

    private Optional<String> text(String name) {
        return files.text(name).filter(text -> !text.isEmpty());
    }
}
