// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.LibraryLawsProbe;

/** What a program reads of itself through the Java library. */
class LibraryReadingsIT {
    private static final String READINGS = "1000000";

    @OnEachJdk
    void areMonotoneAndAddUp(Jdk jdk) {
        assertThat(facts(jdk).number("breaches"))
                .as("readings out of %s that decrease, or whose user and system time are not their CPU time", READINGS)
                .isZero();
    }

    @OnEachJdk
    void allocateNothing(Jdk jdk) {
        assertThat(facts(jdk).number("allocatedBytes"))
                .as("bytes allocated by %s readings of each kind, and as many laps of a stopwatch", READINGS)
                .isZero();
    }

    @OnEachJdk
    void ofAStopwatchLieWithinThoseAroundIt(Jdk jdk) {
        Facts facts = facts(jdk);
        assertThat(facts.number("spin.watch"))
                .as("CPU time by the stopwatch, between its lap and the clock around it, in ns")
                .isPositive()
                .isBetween(facts.number("spin.lap"), facts.number("spin.clock"))
                .isEqualTo(facts.number("spin.sum"));
    }

    @OnEachJdk
    void areRefusedToAVirtualThread(Jdk jdk) {
        Facts facts = facts(jdk);
        assumeTrue(Boolean.parseBoolean(facts.text("virtual")), jdk + " has no virtual threads");
        assertThat(facts.startingWith("virtual.").values())
                .as("answers to a virtual thread, whose carrier's times would be wrong figures")
                .hasSize(3)
                .containsOnly(UnsupportedOperationException.class.getName());
    }

    private static Facts facts(Jdk jdk) {
        return Program.stock(jdk, LibraryLawsProbe.class, READINGS).facts();
    }
}
