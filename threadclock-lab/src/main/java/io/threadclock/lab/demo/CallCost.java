// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import org.HdrHistogram.Histogram;

/**
 * The CPU time that calls cost, from the wall times of the calls.
 *
 * <p>It goes by the median. The mean would count the work of others: a read of a CPU clock makes the kernel settle
 * its accounts, finds that the time slice is over, and then another thread runs in the midst of the call. So this
 * errs to the low side, most of all where calls are slow.
 */
record CallCost(Histogram callNs, Histogram timerNs) {
    /** Of all calls together, without the timer. */
    long totalNs() {
        return callNs.getTotalCount() * medianLessTimerNs();
    }

    /** Of one call, without the timer; never below 0. */
    long medianLessTimerNs() {
        return Math.max(
                0,
                callNs.getValueAtPercentile(LatencyTable.MEDIAN) - timerNs.getValueAtPercentile(LatencyTable.MEDIAN));
    }
}
