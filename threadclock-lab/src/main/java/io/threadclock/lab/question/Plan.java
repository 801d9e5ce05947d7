// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

/**
 * How much to measure on each JDK.
 *
 * @param nativeRounds rounds of the benchmark in C, of 4 ms for each contender
 * @param launches how often the JVMs of the plain loops are started anew: each is compiled and laid out anew
 * @param rounds rounds with each set of JVMs
 * @param sliceMs length of one call's loop in a round
 * @param warmupMs how long each JVM runs before anything counts
 * @param latencyRounds rounds of the measurement on many threads
 * @param latencyMs length of one call's part in such a round
 * @param jmh what JMH measures
 * @param engine what is measured of a database that attributes its work
 * @param flameMs how long that database is profiled, each way
 */
public record Plan(
        int nativeRounds,
        int launches,
        int rounds,
        long sliceMs,
        long warmupMs,
        int latencyRounds,
        long latencyMs,
        OtherThreads otherThreads,
        Snapshots snapshots,
        JmhPlan jmh,
        EngineCost.Plan engine,
        long flameMs) {
    /** The JDKs for which the plans below are made; with more of them each gets less. */
    private static final int USUAL_JDKS = 2;

    /** How long a run takes on two JDKs. */
    public enum Length {
        QUICK("two and a half minutes"),
        USUAL("under a quarter of an hour"),
        FULL("longer than a quarter of an hour");

        private final String title;

        Length(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    /**
     * @param launches how often the JVMs are started anew for reads by id and for yields
     * @param rounds rounds with each set of JVMs
     * @param sliceMs length of one JVM's part in a round
     * @param warmupMs how long each JVM runs each of its loops before anything counts
     * @param startRounds rounds of starting threads: what one takes varies a lot
     * @param attachments how many JVMs of each size are attached to
     */
    record OtherThreads(int launches, int rounds, long sliceMs, long warmupMs, int startRounds, int attachments) {}

    /**
     * @param rounds for each number of threads
     * @param sliceMs length of a round
     * @param warmupMs how long each number of threads is read before anything counts
     */
    record Snapshots(int rounds, long sliceMs, long warmupMs) {}

    public static Plan of(Length length, int jdks) {
        double factor = Math.min(1, (double) USUAL_JDKS / jdks);
        return switch (length) {
            case QUICK ->
                new Plan(
                        31,
                        1,
                        5,
                        ms(20, factor),
                        ms(300, factor),
                        3,
                        ms(150, factor),
                        new OtherThreads(1, 3, ms(20, factor), ms(60, factor), 9, 1),
                        new Snapshots(5, 40, 150),
                        JmhPlan.quick(jdks),
                        EngineCost.Plan.quick(jdks),
                        1500);
            case USUAL ->
                new Plan(
                        101,
                        2,
                        9,
                        ms(40, factor),
                        ms(600, factor),
                        5,
                        ms(400, factor),
                        new OtherThreads(2, 5, ms(35, factor), ms(120, factor), 31, 3),
                        new Snapshots(9, 100, 500),
                        JmhPlan.usual(jdks),
                        EngineCost.Plan.full(jdks),
                        5000);
            case FULL ->
                new Plan(
                        101,
                        5,
                        15,
                        ms(60, factor),
                        ms(800, factor),
                        15,
                        ms(1000, factor),
                        new OtherThreads(3, 11, ms(60, factor), ms(300, factor), 61, 5),
                        new Snapshots(21, 200, 1000),
                        JmhPlan.full(jdks),
                        EngineCost.Plan.full(jdks),
                        10_000);
        };
    }

    private static long ms(long ms, double factor) {
        return (long) (ms * factor);
    }
}
