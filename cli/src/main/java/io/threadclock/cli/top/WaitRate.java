// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.threads.SchedStat;

/**
 * Waiting for CPUs. Where it is not known, there is null in place of this.
 *
 * @param waiting run-queue delay / wall time; 1 is one thread that waits all the time
 * @param switchesPerS context switches per second, voluntary and involuntary ones
 */
public record WaitRate(double waiting, double switchesPerS) {
    private static final double NS_PER_S = 1e9;

    /**
     * The waits that ended in an interval. They can have taken no more of it than CPU time has left; the rest was
     * before, when nobody knew.
     *
     * @param then null: not known
     * @param now null: not known
     * @param cpu CPU usage in the interval
     */
    static WaitRate of(SchedStat then, SchedStat now, double cpu, long elapsedNs) {
        if (then == null || now == null || elapsedNs <= 0) {
            return null;
        }
        double waiting = (double) (now.delayNs() - then.delayNs()) / elapsedNs;
        double switchesPerS = (now.timeslices() - then.timeslices()) * NS_PER_S / elapsedNs;
        return new WaitRate(Math.max(0, Math.min(waiting, 1 - cpu)), Math.max(0, switchesPerS));
    }

    /** The sum of those that are known. No waits of a thread that has just ended are. */
    static WaitRate sum(WaitRate one, WaitRate other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return new WaitRate(one.waiting + other.waiting, one.switchesPerS + other.switchesPerS);
    }
}
