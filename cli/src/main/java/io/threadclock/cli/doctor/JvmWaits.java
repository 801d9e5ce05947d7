// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import io.threadclock.CpuQuota;

/**
 * How the threads of a JVM have waited for CPUs during a while, without those that have ended meanwhile.
 *
 * @param cpuNs CPU time of all threads
 * @param waitingNs run-queue delay of all threads, of waits that have ended
 * @param group the control group that has throttled them most, or has the least quota; null: none has a quota
 * @param periods those of the group in this while in which its processes wanted to run; −1: not known
 * @param throttledPeriods those of them in which they had to wait for the next period; −1: not known
 */
public record JvmWaits(
        long elapsedNs, long cpuNs, long waitingNs, CpuQuota.Group group, long periods, long throttledPeriods) {
    /** The number of threads that wanted a CPU at a time, on average. */
    double wanted() {
        return (double) (cpuNs + waitingNs) / elapsedNs;
    }

    /** The part of the time in which threads could have run, and had no CPU. */
    double waitingRatio() {
        return (double) waitingNs / Math.max(1, cpuNs + waitingNs);
    }
}
