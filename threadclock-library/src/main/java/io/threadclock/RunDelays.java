// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Run-queue delay of this process's threads: the time in which a thread wanted to run, and another one had its CPU or the
 * CPU quota of the control group was used up. See proc_pid_schedstat(5).
 */
final class RunDelays {
    /** In place of a delay: of a thread that has never run or has ended, or if the kernel does not count. */
    static final long UNKNOWN = -1;

    /** CPU time, run-queue delay, time slices. */
    private static final Pattern LINE = Pattern.compile("\\d+ (\\d{1,18}) (\\d+)\\s*");

    private static final int LONGEST_LINE = 128;

    private RunDelays() {}

    /**
     * Returns the delay of a thread, in ns since its start. The kernel moves it only when it switches the thread in. Makes
     * three system calls.
     */
    static long ofThread(int tid) {
        byte[] line = new byte[LONGEST_LINE];
        try (FileInputStream file = new FileInputStream("/proc/self/task/" + tid + "/schedstat")) {
            int length = file.read(line);
            return length < 0 ? UNKNOWN : parse(new String(line, 0, length, StandardCharsets.US_ASCII));
        } catch (IOException ended) {
            return UNKNOWN;
        }
    }

    /** A kernel without CONFIG_SCHED_INFO writes zeroes. */
    static long parse(String line) {
        Matcher figures = LINE.matcher(line);
        return figures.matches() && !figures.group(2).equals("0") ? Long.parseLong(figures.group(1)) : UNKNOWN;
    }
}
