// SPDX-License-Identifier: Apache-2.0
package io.threadclock.demo;

import java.util.List;

/**
 * How much to measure.
 *
 * @param workers the numbers of worker threads to measure with, one after another
 * @param rounds how often each phase is repeated; stock and threadclock alternate within a round
 * @param phaseMs length of a phase
 * @param warmupMs how long both programs run before anything counts
 * @param historyRows rows ingested before the first query
 * @param bursts bursts at each phase of the tick
 */
record DemoPlan(List<Integer> workers, int rounds, long phaseMs, long warmupMs, int historyRows, int bursts) {
    static final int TICK_PHASES = 16;

    /** More threads than this many per CPU would show nothing that fewer do not. */
    private static final int THREADS_PER_CPU = 2;

    private static final int LEAST_THREADS = 8;
    /** One trade each millisecond; the queries look at the first 25 s. */
    private static final int HISTORY_ROWS = 60_000;
    /** The number of JDKs for which the lengths below are chosen; with more of them each gets less. */
    private static final int USUAL_JDKS = 2;

    /** Under three minutes. */
    static DemoPlan full(int jdks, int cpus) {
        return new DemoPlan(workers(cpus), 5, share(1100, jdks), share(7000, jdks), HISTORY_ROWS, 60);
    }

    /** Under 40 seconds: enough to see the orders of magnitude. */
    static DemoPlan quick(int jdks, int cpus) {
        return new DemoPlan(workers(cpus), 2, share(350, jdks), share(2500, jdks), HISTORY_ROWS, 12);
    }

    private static List<Integer> workers(int cpus) {
        return List.of(1, Math.max(LEAST_THREADS, THREADS_PER_CPU * cpus));
    }

    private static long share(long usualMs, int jdks) {
        return usualMs * USUAL_JDKS / Math.max(USUAL_JDKS, jdks);
    }
}
