// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import io.threadclock.cli.process.ProcessFiles;
import java.util.Optional;

/**
 * A line of {@code /proc/PID/stat}, or of a thread's. Times are in the kernel's units of 10 ms.
 *
 * @param name the kernel's name: up to 15 bytes of any kind, parentheses and spaces included
 * @param state the kernel's abbreviation, for instance {@code R} or {@code S}
 * @param startTicks since boot
 */
public record TaskStat(String name, char state, long utimeTicks, long stimeTicks, long startTicks) {
    public static final long NS_PER_TICK = 10_000_000;

    private static final int UTIME = 11; // fields after the name, counted from 0
    private static final int STIME = 12;
    private static final int START = 19;

    static Optional<TaskStat> ofProcess(ProcessFiles files) {
        return read(files, "stat");
    }

    /** Empty for a thread that has ended. */
    public static Optional<TaskStat> ofThread(ProcessFiles files, int tid) {
        return read(files, "task/" + tid + "/stat");
    }

    private static Optional<TaskStat> read(ProcessFiles files, String name) {
        return files.text(name).filter(text -> !text.isEmpty()).map(TaskStat::parse);
    }

    /** @throws IllegalArgumentException if it is not such a line */
    static TaskStat parse(String line) {
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')');
        if (open < 0 || close < open) {
            throw new IllegalArgumentException("no line of stat: " + line);
        }
        String[] fields = line.substring(Math.min(close + 2, line.length())).split(" ");
        if (fields.length <= START || fields[0].isEmpty()) {
            throw new IllegalArgumentException("a line of stat that is cut: " + line);
        }
        return new TaskStat(
                line.substring(open + 1, close),
                fields[0].charAt(0),
                Long.parseLong(fields[UTIME]),
                Long.parseLong(fields[STIME]),
                Long.parseLong(fields[START]));
    }

    long ticks() {
        return utimeTicks + stimeTicks;
    }

    /** User time of this much CPU time, in the kernel's ratio. */
    long userNsOf(long cpuNs) {
        return ticks() == 0 ? cpuNs : (long) ((double) cpuNs * utimeTicks / ticks());
    }
}
