// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import io.threadclock.lab.engine.EnginePlan;
import io.threadclock.lab.jmhrun.JmhPlan;

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
 * @param jmh those that JMH makes
 * @param engine those of a database that attributes its work
 * @param flameMs how long that database is profiled, each way
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
        SnapshotPlan snapshots,
        JmhPlan jmh,
        EnginePlan engine,
        long flameMs) {
    /** The JDKs for which the plans below are made; with more of them each gets less. */
    private static final int USUAL_JDKS = 2;

    static BenchPlan of(BenchLength length, int jdks) {
        return switch (length) {
            case QUICK -> quick(jdks);
            case USUAL -> usual(jdks);
            case FULL -> full(jdks);
        };
    }

    /** Two and a half minutes: enough to see the orders of magnitude. */
    private static BenchPlan quick(int jdks) {
        return new BenchPlan(
                        31, 1, 5, 20, 300, 3, 150, AllThreadsPlan.QUICK, SnapshotPlan.QUICK,
                        JmhPlan.quick(jdks), EnginePlan.quick(jdks), 1500)
                .dividedAmong(jdks);
    }

    /** Under a quarter of an hour. */
    private static BenchPlan usual(int jdks) {
        return new BenchPlan(
                        101, 2, 9, 40, 600, 5, 400, AllThreadsPlan.USUAL, SnapshotPlan.USUAL,
                        JmhPlan.usual(jdks), EnginePlan.full(jdks), 5000)
                .dividedAmong(jdks);
    }

    /** Longer: for figures with more JVMs behind them. */
    private static BenchPlan full(int jdks) {
        return new BenchPlan(
                        101, 5, 15, 60, 800, 15, 1000, AllThreadsPlan.FULL, SnapshotPlan.FULL,
                        JmhPlan.full(jdks), EnginePlan.full(jdks), 10_000)
                .dividedAmong(jdks);
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
                snapshots,
                jmh,
                engine,
                flameMs);
    }
}
