// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import io.threadclock.lab.demo.message.PhaseResult;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.HdrHistogram.Histogram;

/**
 * Readings of the calling thread's user and CPU time through the unmodified ThreadMXBean, each between two readings
 * of System.nanoTime(). With attribution off the bracket stays and is empty: its length is the cost of the timer
 * alone, and the only difference between on and off is the call itself. For one thread.
 */
final class TimedReadings {
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final boolean attribution;
    private final Histogram userCallNs = PhaseResult.newHistogram();
    private final Histogram cpuCallNs = PhaseResult.newHistogram();

    TimedReadings(boolean attribution) {
        this.attribution = attribution;
    }

    boolean attribution() {
        return attribution;
    }

    long userNs() {
        long begin = System.nanoTime();
        long userNs = attribution ? threads.getCurrentThreadUserTime() : 0;
        long end = System.nanoTime();
        userCallNs.recordValue(end - begin);
        return userNs;
    }

    long cpuNs() {
        long begin = System.nanoTime();
        long cpuNs = attribution ? threads.getCurrentThreadCpuTime() : 0;
        long end = System.nanoTime();
        cpuCallNs.recordValue(end - begin);
        return cpuNs;
    }

    Histogram userCallNs() {
        return userCallNs;
    }

    Histogram cpuCallNs() {
        return cpuCallNs;
    }
}
