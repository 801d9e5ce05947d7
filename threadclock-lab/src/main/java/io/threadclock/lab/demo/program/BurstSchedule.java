// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

/**
 * When bursts of work begin: always at the same offset within the clock tick.
 *
 * @param tickNs length of the tick
 * @param offsetNs where in the tick, from 0 to below {@code tickNs}
 */
record BurstSchedule(long tickNs, long offsetNs) {
    /**
     * The first begin that is at least {@code leadNs} after {@code nowNs}, on the clock of System.nanoTime(), which
     * may be negative.
     */
    long nextNs(long nowNs, long leadNs) {
        long earliestNs = nowNs + leadNs;
        return earliestNs + Math.floorMod(offsetNs - earliestNs, tickNs);
    }
}
