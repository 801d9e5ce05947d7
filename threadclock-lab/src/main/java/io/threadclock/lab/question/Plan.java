// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

/**
 * How much to measure on each JDK.
 *
 * @param nativeRounds rounds of the benchmark in C, of 4 ms for each contender
 * @param launches how often the JVMs of the plain loops are started anew: each is compiled and laid out anew
 * @param loops of one call, with each set of JVMs
 * @param latency of calls on many threads
 * @param snapshots of each number of threads
 * @param jmh what JMH measures
 * @param engine what is measured of a database that attributes its work
 * @param flameMs how long that database is profiled, each way
 */
public record Plan(
        int nativeRounds,
        int launches,
        Rounds loops,
        Rounds latency,
        OtherThreads otherThreads,
        Rounds snapshots,
        JmhPlan jmh,
        EngineCost.Plan engine,
        long flameMs) {
    /** Plans are made for this many JDKs; with more of them, each gets less. */
    private static final int USUAL_JDKS = 2;

    /** How long a run takes on two JDKs. */
    public enum Length {
        QUICK("under four minutes"),
        USUAL("under a quarter of an hour"),
        FULL("longer than a quarter of an hour");

        private final String title;

        Length(String title) {
            this.title = title;
        }

        private <T> T of(T quick, T usual, T full) {
            return switch (this) {
                case QUICK -> quick;
                case USUAL -> usual;
                case FULL -> full;
            };
        }

        @Override
        public String toString() {
            return title;
        }
    }

    /**
     * Contenders in turn.
     *
     * @param count how often each has its turn
     * @param sliceMs length of a turn
     * @param warmupMs how long each runs before anything counts
     */
    public record Rounds(int count, long sliceMs, long warmupMs) {
        Rounds times(double factor) {
            return new Rounds(count, (long) (sliceMs * factor), (long) (warmupMs * factor));
        }
    }

    /**
     * @param launches how often the JVMs are started anew for reads by id and for yields
     * @param rounds with each set of JVMs
     * @param startRounds rounds of starting threads: what one takes varies a lot
     * @param attachments how many JVMs of each size are attached to
     * @param virtualThreads how many there are at once
     */
    record OtherThreads(int launches, Rounds rounds, int startRounds, int attachments, int virtualThreads) {}

    /** The share of the time for one of two JDKs that each of this many JDKs gets. */
    static double share(int jdks) {
        return Math.min(1, (double) USUAL_JDKS / jdks);
    }

    /** Each line has what is quick, usual and full. */
    public static Plan of(Length length, int jdks) {
        double factor = share(jdks);
        Rounds loops = length.of(new Rounds(5, 20, 300), new Rounds(9, 40, 600), new Rounds(15, 60, 800));
        Rounds latency = length.of(new Rounds(3, 150, 300), new Rounds(5, 400, 600), new Rounds(15, 1000, 800));
        Rounds others = length.of(new Rounds(3, 20, 60), new Rounds(5, 35, 120), new Rounds(11, 60, 300));
        Rounds snapshots = length.of(new Rounds(5, 40, 150), new Rounds(9, 100, 500), new Rounds(21, 200, 1000));
        return new Plan(
                length.of(31, 101, 101),
                length.of(1, 2, 5),
                loops.times(factor),
                latency.times(factor),
                new OtherThreads(
                        length.of(1, 2, 3),
                        others.times(factor),
                        length.of(9, 31, 61),
                        length.of(1, 3, 5),
                        length.of(100_000, 1_000_000, 1_000_000)),
                snapshots,
                length.of(JmhPlan.quick(jdks), JmhPlan.usual(jdks), JmhPlan.full(jdks)),
                length.of(EngineCost.Plan.quick(), EngineCost.Plan.full(), EngineCost.Plan.full())
                        .times(factor),
                length.of(1500L, 5000L, 10_000L));
    }
}
