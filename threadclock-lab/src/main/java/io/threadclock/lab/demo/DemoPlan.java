// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

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
 * @param budgetMs what all of it may take, the start of the programs included
 */
record DemoPlan(
        List<Integer> workers, int rounds, long phaseMs, long warmupMs, int historyRows, int bursts, long budgetMs) {
    static final int TICK_PHASES = 16;

    /** More threads than this many per CPU would show nothing that fewer do not. */
    private static final int THREADS_PER_CPU = 2;

    private static final int LEAST_THREADS = 8;
    /** One trade each millisecond; the queries look at the first 25 s. */
    private static final int HISTORY_ROWS = 60_000;
    /** Stock and threadclock, with attribution on and off. */
    private static final int PHASES_PER_ROUND = 4;
    /** What the tick trap takes, roughly: three programs, and HZ=250. */
    private static final long MS_PER_TICK_AND_WAYS = 4L * UserTimeWay.values().length;

    private static final long WARM_MS = 5000;
    private static final long TRAP_START_MS = 1500;
    /** Shorter phases than this would measure the start of the threads. */
    private static final double LEAST_FACTOR = 0.4;

    /** Under three minutes. */
    static DemoPlan full(int cpus) {
        return new DemoPlan(workers(cpus), 5, 1100, 7000, HISTORY_ROWS, 60, 160_000);
    }

    /** Under 40 seconds: enough to see the orders of magnitude. */
    static DemoPlan quick(int cpus) {
        return new DemoPlan(workers(cpus), 2, 350, 2500, HISTORY_ROWS, 12, 34_000);
    }

    private static List<Integer> workers(int cpus) {
        return List.of(1, Math.max(LEAST_THREADS, THREADS_PER_CPU * cpus));
    }

    /** Whether the programs have time to be compiled, for the most part, before anything counts. */
    boolean warm() {
        return warmupMs >= WARM_MS;
    }

    /** What one of {@code jdks} JDKs that are still to do may take when {@code spentMs} have passed. */
    long jdkBudgetMs(int jdks, long spentMs) {
        return (budgetMs - spentMs - trapMs()) / jdks;
    }

    /** The same with shorter phases if they do not fit into what is left of the budget, but never with none. */
    DemoPlan fittedInto(long availableMs) {
        double factor = Math.max(LEAST_FACTOR, Math.min(1, (double) availableMs / jdkMs()));
        return new DemoPlan(
                workers, rounds, (long) (phaseMs * factor), (long) (warmupMs * factor), historyRows, bursts, budgetMs);
    }

    /** What one JDK takes once its programs have started. */
    long jdkMs() {
        return warmupMs + phaseMs * rounds * workers.size() * PHASES_PER_ROUND;
    }

    long trapMs() {
        return TRAP_START_MS + MS_PER_TICK_AND_WAYS * bursts * TICK_PHASES;
    }
}
