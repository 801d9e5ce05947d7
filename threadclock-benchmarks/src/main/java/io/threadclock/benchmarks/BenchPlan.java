// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

/**
 * How much to measure.
 *
 * @param nativeRounds rounds of the benchmark in C, of 4 ms for each contender
 * @param launches how often the JVMs of the plain loops are started anew: each is compiled and laid out anew
 * @param rounds rounds with each set of JVMs
 * @param sliceMs length of one call's loop in a round
 * @param warmupMs how long each JVM runs before anything counts
 * @param latencyRounds rounds of the measurement on many threads
 * @param latencyMs length of one call's part in such a round
 * @param allThreads the measurements about other threads than the calling one
 * @param snapshots those of all threads of a JVM
 */
record BenchPlan(
        int nativeRounds,
        int launches,
        int rounds,
        long sliceMs,
        long warmupMs,
        int latencyRounds,
        long latencyMs,
        AllThreadsPlan allThreads,
        SnapshotPlan snapshots) {
    /** The JDKs for which the plans below are made; with more of them each gets less. */
    private static final int USUAL_JDKS = 2;

    private static final BenchPlan QUICK =
            new BenchPlan(31, 1, 5, 20, 300, 2, 200, AllThreadsPlan.QUICK, SnapshotPlan.QUICK);
    private static final BenchPlan USUAL =
            new BenchPlan(101, 3, 9, 40, 600, 5, 600, AllThreadsPlan.USUAL, SnapshotPlan.USUAL);
    private static final BenchPlan FULL =
            new BenchPlan(101, 5, 15, 60, 800, 15, 1000, AllThreadsPlan.FULL, SnapshotPlan.FULL);

    static BenchPlan of(BenchLength length, int jdks) {
        BenchPlan plan =
                switch (length) {
                    case QUICK -> QUICK;
                    case USUAL -> USUAL;
                    case FULL -> FULL;
                };
        return plan.dividedAmong(jdks);
    }

    private BenchPlan dividedAmong(int jdks) {
        double factor = Math.min(1, (double) USUAL_JDKS / jdks);
        return new BenchPlan(
                nativeRounds,
                launches,
                rounds,
                (long) (sliceMs * factor),
                (long) (warmupMs * factor),
                latencyRounds,
                (long) (latencyMs * factor),
                allThreads.times(factor),
                snapshots);
    }
}
