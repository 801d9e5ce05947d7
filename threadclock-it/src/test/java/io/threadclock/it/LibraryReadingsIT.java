// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.LibraryLawsProbe;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what a program reads of itself through the Java library. */
class LibraryReadingsIT {
    private static final String READINGS = Integer.toString(Thoroughness.orLittle(1_000_000, 100_000));

    @ByEachBinding
    void areMonotoneAndAddUp(Jdk jdk, Binding binding) {
        assertThat(facts(jdk, binding).number("breaches"))
                .as("readings out of %s that decrease, or whose user and system time are not their CPU time", READINGS)
                .isZero();
    }

    @ByEachBinding
    void allocateNothing(Jdk jdk, Binding binding) {
        assertThat(facts(jdk, binding).number("allocatedBytes"))
                .as("bytes allocated by %s readings of each kind, and as many laps of a stopwatch", READINGS)
                .isZero();
    }

    @ByEachBinding
    void ofAStopwatchLieWithinThoseAroundIt(Jdk jdk, Binding binding) {
        Facts facts = facts(jdk, binding);
        assertThat(facts.number("spin.watch"))
                .as("CPU time by the stopwatch, between its lap and the clock around it, in ns")
                .isPositive()
                .isBetween(facts.number("spin.lap"), facts.number("spin.clock"))
                .isEqualTo(facts.number("spin.sum"));
    }

    @ByEachBinding
    void areRefusedToAVirtualThread(Jdk jdk, Binding binding) {
        Facts facts = facts(jdk, binding);
        assumeTrue(Boolean.parseBoolean(facts.text("virtual")), jdk + " has no virtual threads");
        assertThat(facts.startingWith("virtual.").values())
                .as("answers to a virtual thread, whose carrier's times would be wrong figures")
                .hasSize(2)
                .containsOnly(UnsupportedOperationException.class.getName());
        assertThat(facts.number("unmeasured.watch")).as("of a stopwatch, ns").isEqualTo(-1);
    }

    private static Facts facts(Jdk jdk, Binding binding) {
        Facts facts =
                binding.of(Program.stock(jdk, LibraryLawsProbe.class, READINGS)).facts();
        assertThat(facts.text("binding")).as("how the library was reached").isEqualTo(binding.name());
        return facts;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("io.threadclock.it.Binding#onEachJdk")
    @interface ByEachBinding {}
}
