// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** The laws of measured virtual threads, whoever measures them; on the facts of an MeasuredProbe or its stress. */
final class VirtualLaws {
    /** The argument of an MeasuredProbe. */
    static final String READINGS = Integer.toString(Thoroughness.orLittle(200_000, 10_000));

    private static final long UNIT_NS = 5_000_000;

    /** What carriers do between mounts of a ms is 2 % of their time on a machine that has 15 runnable threads per CPU. */
    private static final double LEAST_OF_CARRIERS = 0.9;

    private static final List<String> WAYS = List.of("factory", "named", "executor", "measure", "current");

    private VirtualLaws() {}

    static void assertTheirWork(Facts facts) {
        for (String way : WAYS) {
            assertThat(facts.number(way + ".watchNs"))
                    .as("ns by a stopwatch around three times 5 ms of CPU time, by %s", way)
                    .isGreaterThan(3 * UNIT_NS - UNIT_NS / 5);
        }
    }

    static void assertReadThemselves(Facts facts) {
        for (String way : WAYS) {
            facts.check(way + ".canRead", true, "ThreadClock.canRead() by %s", way);
            assertThat(facts.number(way + ".watchNs"))
                    .as("ns by a stopwatch, by %s", way)
                    .isPositive();
            facts.check(way + ".isWithin", true, "the stopwatch's within the clock's, by %s", way);
            facts.check(way + ".splitIsWhole", true, "user + system = CPU, by %s", way);
            facts.check(way + ".isOrdered", true, "one time after the other, by %s", way);
        }
        assertThat(facts.text("named.name")).isEqualTo("orders-0");
        facts.check("states", true, "running <= parked <= ended");
    }

    static void assertInDumps(Facts facts) {
        assertThat(facts.text("stack")).as("stack of one that is parked").doesNotContain("VirtualClock.");
        assertThat(facts.text("dump.json")).as("a dump of all threads").isEqualTo("has it");
        assertThat(facts.text("dump.text")).as("a dump of all threads, as text").isEqualTo("has it");
    }

    /** A reading allocates nothing, and nor does a mount. */
    static void assertNothingAllocated(Facts facts) {
        assertThat(facts.number("allocatedBytes"))
                .as("bytes allocated by %s readings of each kind", READINGS)
                .isZero();
        assertThat(facts.number("allocatedByAMount"))
                .as("bytes more by a mount than without the library's clock")
                .isLessThan(1);
    }

    /**
     * Conservation as an equality, of threads that work for a ms before they do anything else: their time is their
     * carriers', but for what these do between two mounts.
     */
    static void assertNothingLost(Facts facts) {
        assertOneSequence(facts);
        assertThat((double) facts.number("sumNs") / facts.number("carriersNs"))
                .as("ns of all virtual threads ÷ their carriers'")
                .isBetween(LEAST_OF_CARRIERS, 1.0);
    }

    /** The debugger suspends each thread when it starts, and all of them now and then. */
    static void assertOneSequenceWhileDebugged(Program stress) throws Exception {
        try (Debugger debugger = new Debugger()) {
            assertOneSequence(stress.jvmOption(debugger.jvmOption()).facts());
            assertThat(debugger.suspensions())
                    .as("suspensions of virtual threads")
                    .isPositive();
        }
    }

    /** JDK 8's launcher makes a call that the check complains of for each of the program's arguments. */
    static void assertCheckOfJniComplainsOfNothing(Program measured) {
        Outcome checked = measured.jvmOption("-Xcheck:jni").outcome();
        assertThat(checked.exitStatus()).as("%s", checked.text()).isZero();
        assertThat(checked.text().lines().filter(line -> line.contains("WARNING")))
                .as("warnings")
                .hasSize(measured.jdk().feature() == 8 ? measured.arguments().size() : 0);
    }

    /** Conservation: nothing is counted twice, and no time of a carrier between two mounts is counted. */
    static void assertOneSequence(Facts facts) {
        assertThat(facts.number("readingsByOthers"))
                .as("readings by another thread")
                .isPositive();
        assertThat(facts.number("breaches"))
                .as("readings before one that had ended, or negative: %s", facts.text("firstBreach"))
                .isZero();
        assertThat(facts.number("sumNs"))
                .as("ns of all virtual threads, of their carriers'")
                .isBetween(1L, facts.number("carriersNs"));
    }
}
