// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Run-queue delay of this process's threads: the time in which a thread wanted to run, and another one had its CPU or
 * the CPU quota of the control group was used up. See proc_pid_schedstat(5).
 */
final class RunDelays {
    /** In place of a delay: of a thread that has never run or has ended, or if the kernel does not count. */
    static final long UNKNOWN = -1;

    /** CPU time, run-queue delay, time slices. */
    private static final Pattern LINE = Pattern.compile("\\d+ (\\d{1,18}) (\\d+)\\s*");

    private RunDelays() {}

    /**
     * Returns the delay of a thread, in ns since its start. The kernel moves it only when it switches the thread in.
     * Makes three system calls.
     */
    static long ofThread(int tid) {
        String line = JvmThreads.line(JvmThreads.OWN_TASKS, tid, "schedstat");
        return line == null ? UNKNOWN : parse(line);
    }

    /** A kernel without CONFIG_SCHED_INFO writes zeroes. */
    static long parse(String line) {
        Matcher figures = LINE.matcher(line);
        return figures.matches() && !figures.group(2).equals("0") ? Long.parseLong(figures.group(1)) : UNKNOWN;
    }
}
