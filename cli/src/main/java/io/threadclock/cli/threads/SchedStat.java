// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import io.threadclock.cli.process.ProcessFiles;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of {@code schedstat} of a thread, see proc_pid_schedstat(5), counted since the thread started. The kernel
 * moves the last two only when it switches the thread in. A wait that goes on is therefore added when it ends.
 *
 * @param cpuNs CPU time
 * @param delayNs run-queue delay: the time in which it could have run and had no CPU
 * @param timeslices how often it was switched in, which is how often it was switched out before, give or take a few
 */
public record SchedStat(long cpuNs, long delayNs, long timeslices) {
    private static final Pattern LINE = Pattern.compile("(\\d{1,18}) (\\d{1,18}) (\\d{1,18})\\s*");

    /** Empty if the kernel does not tell it, or the thread has ended. */
    public static Optional<SchedStat> ofThread(ProcessFiles files, int tid) {
        return files.text("task/" + tid + "/schedstat").flatMap(SchedStat::parse);
    }

    /**
     * Empty without time slices: either the thread has never run, or the kernel does not count them (CONFIG_SCHED_INFO)
     * and writes zeroes.
     */
    static Optional<SchedStat> parse(String line) {
        Matcher figures = LINE.matcher(line);
        return figures.matches() && Long.parseLong(figures.group(3)) > 0
                ? Optional.of(new SchedStat(
                        Long.parseLong(figures.group(1)),
                        Long.parseLong(figures.group(2)),
                        Long.parseLong(figures.group(3))))
                : Optional.empty();
    }
}
