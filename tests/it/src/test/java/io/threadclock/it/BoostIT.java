// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.BoostLaws;
import io.threadclock.it.probe.CopiesLaws;
import org.junit.jupiter.api.Tag;

/** A program makes its own ThreadMXBean fast. BehaviourIT and OwnClockIT test what it then answers. */
class BoostIT {
    private static final String OTHER_AGENT = "-agentpath:" + CopyOfLibrary.ofAnotherVersion();

    /** And prints nothing. */
    @OnEachJdk
    void givesTheLibrarysClockAndTheJdksOwnBack(Jdk jdk) {
        Outcome outcome =
                boost(jdk, "givesTheLibrarysClockAndTheJdksOwnBack").passes().outcome();
        assertThat(outcome.stdout()).as("standard output").isEmpty();
        assertThat(outcome.result().stderrLines()).as("standard error").isEmpty();
    }

    @OnEachJdk
    void leavesToAnAgentWhatIsTheAgents(Jdk jdk) {
        Program program = boost(jdk, "leavesToAnAgentWhatIsTheAgents").agent("");
        program.passes();
        program.jvmOption("-Dthreadclock.library=" + CopyOfLibrary.path()).passes();
    }

    @OnEachJdk
    void isOneClockWithAnAgentOfAnotherVersion(Jdk jdk) {
        boost(jdk, "isOneClockWithAnAgent").jvmOption(OTHER_AGENT).passes();
    }

    @OnEachJdk
    void andAnAgentThatIsAttachedAreOneClock(Jdk jdk) {
        Presence.DETACHED.of(boost(jdk, "andAnAgentThatIsAttachedAreOneClock")).passes();
    }

    @Tag("long")
    @OnEachJdk
    void givesWayToAnOperatorWhoAttaches(Jdk jdk) {
        Presence.DETACHED.of(boost(jdk, "givesWayToAnOperatorWhoAttaches")).passes();
    }

    @OnEachJdk
    void isRefusedWithoutJavaManagement(Jdk jdk) {
        assumeTrue(jdk.feature() >= 9, jdk + " has no modules to leave out");
        boost(jdk, "isRefusedWithoutJavaManagement")
                .jvmOption("--limit-modules", "java.base")
                .passes();
    }

    @Tag("long")
    @OnEachJdk
    void isInstalledByOneOfTheClassLoadersThatTryAtOnce(Jdk jdk) {
        Program.law(jdk, CopiesLaws.class, "oneOfEachPairInstalls", "takeTurns").passes();
    }

    @OnEachJdk
    @Tag("timing")
    void takesTurnsAlsoWithAnOperator(Jdk jdk) {
        turns(jdk).present(Presence.TOGGLED_LESS).passes();
    }

    @OnEachJdk
    @Tag("timing")
    void takesTurnsAlsoWithAnOperatorsCopyOfAnotherVersion(Jdk jdk) {
        turns(jdk).present(Presence.TOGGLED_OTHER_VERSION).passes();
    }

    @Tag("long")
    @OnEachJdk
    void isInstalledByOneOfTheClassLoadersThatLoadTheSameFileAtOnce(Jdk jdk) {
        Program.law(jdk, CopiesLaws.class, "allAreLoaded")
                .jvmOption("-Dthreadclock.library=" + Program.LIBRARY.path())
                .passes();
    }

    private static Program turns(Jdk jdk) {
        return Program.law(jdk, CopiesLaws.class, "takeTurns");
    }

    private static Program boost(Jdk jdk, String law) {
        return Program.law(jdk, BoostLaws.class, law);
    }
}
