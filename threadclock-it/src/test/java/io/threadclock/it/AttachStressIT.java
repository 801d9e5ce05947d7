// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.ChurnProbe;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent is attached and detached, up to 2000 times, while threads start, end and ask for times without pause. */
@Tag("timing")
class AttachStressIT {
    @OnEachJdk
    void throwsNothingAndTellsNoLies(Jdk jdk) {
        Presence toggled = Thoroughness.doesAll(jdk) ? Presence.TOGGLED : Presence.TOGGLED_LESS;
        Program churn = Program.stock(jdk, ChurnProbe.class, "0").present(toggled);
        Strikes.assertThatAllToldTheTruth(churn.facts());
    }

    @OnEachJdk
    void throwsNothingAndTellsNoLiesIfTheProgramDoesItItself(Jdk jdk) {
        Program churn = Presence.BOOST_TOGGLED.of(Program.stock(jdk, ChurnProbe.class, "0"));
        Strikes.assertThatAllToldTheTruth(churn.facts());
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("io.threadclock.it.ChurnIT#jdksAndModes")
    void throwsNothingAndTellsNoLiesInAnotherMode(Jdk jdk, String mode) {
        JvmMode.assumeThat(jdk, mode);
        Program churn = Program.stock(jdk, ChurnProbe.class, "0").present(Presence.TOGGLED_LESS);
        Strikes.assertThatAllToldTheTruth(churn.jvmOption(mode).facts());
    }
}
