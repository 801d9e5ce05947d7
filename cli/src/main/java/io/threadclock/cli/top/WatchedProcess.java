// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.CpuQuota;
import io.threadclock.cli.process.CpuList;
import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.ProcessFiles;
import io.threadclock.cli.threads.TaskStat;

/**
 * The process whose threads are shown, as /proc shows it.
 *
 * @param name what it runs, in a word or two
 * @param sharesTids whether its tids are the same here as for itself
 */
public record WatchedProcess(ProcessFiles process, int pid, String name, boolean sharesTids) {
    CpuQuota quota() {
        return process.quota(KernelFiles.SYSTEM);
    }

    /** The number of CPUs on which it may run; 0: unknown. */
    int allowedCpus() {
        return CpuList.allowed(process);
    }

    /** The kernel's abbreviation of a thread's state; '-' for a pool, '?' where it cannot be seen from here. */
    char state(Row row) {
        if (row.isPool()) {
            return '-';
        }
        return sharesTids
                ? TaskStat.ofThread(process, row.tid()).map(TaskStat::state).orElse('?')
                : '?';
    }
}
