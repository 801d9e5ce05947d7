// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.BareRuntimeProbe;
import io.threadclock.it.probe.BoostProbe;
import io.threadclock.it.probe.CopiesProbe;
import org.junit.jupiter.api.Tag;

/** A program makes its own ThreadMXBean fast. BehaviourIT and OwnClockIT test what it then answers. */
class BoostIT {
    private static final String READINGS = "20000";
    private static final int PAIRS = 6;

    @OnEachJdk
    void letsThreadMXBeanReadTheLibrarysClock(Jdk jdk) {
        assertThat(facts(jdk).number("installed.otherClock"))
                .as("readings of another clock")
                .isZero();
        assertThat(facts(jdk).text("installed.isInstalled")).isEqualTo("true");
    }

    @OnEachJdk
    void givesTheJdksOwnBack(Jdk jdk) {
        assertThat(facts(jdk).number("before.otherClock"))
                .as("readings of another clock before")
                .isPositive();
        assertThat(facts(jdk).number("uninstalled.otherClock"))
                .as("and afterwards")
                .isPositive();
        assertThat(facts(jdk).text("uninstalled.isInstalled")).isEqualTo("false");
    }

    @OnEachJdk
    void tellsWhoHasDoneIt(Jdk jdk) {
        assertAnswers(facts(jdk), "install", "true", "false");
        assertAnswers(facts(jdk), "uninstall", "true", "false");
    }

    @OnEachJdk
    void printsNothing(Jdk jdk) {
        Outcome outcome = boost(jdk).outcome();
        assertThat(outcome.stdout()).as("standard output").doesNotContainIgnoringCase("warning");
        assertThat(outcome.result().stderrLines()).as("standard error").isEmpty();
    }

    @OnEachJdk
    void leavesToAnAgentWhatIsTheAgents(Jdk jdk) {
        Facts facts = boost(jdk).agent("").facts();
        assertAnswers(facts, "install", "false", "false");
        assertAnswers(facts, "uninstall", "false", "false");
        assertThat(facts.number("uninstalled.otherClock"))
                .as("readings of another clock")
                .isZero();
    }

    @OnEachJdk
    void leavesToAnAgentOfAnotherCopyWhatIsTheAgents(Jdk jdk) {
        Facts facts = boost(jdk)
                .agent("")
                .jvmOption("-Dthreadclock.library=" + CopyOfLibrary.path())
                .facts();
        assertAnswers(facts, "install", "false", "false");
        assertThat(facts.text("installed.isInstalled")).isEqualTo("false");
        assertThat(facts.number("installed.otherClock"))
                .as("readings of another clock, of two copies")
                .isZero();
    }

    @OnEachJdk
    void isOneClockWithAnAgentOfAnotherVersion(Jdk jdk) {
        Facts facts = boost(jdk)
                .jvmOption("-agentpath:" + CopyOfLibrary.ofAnotherVersion())
                .facts();
        assertThat(facts.text("installed.isInstalled")).isEqualTo("false");
        assertThat(facts.number("installed.otherClock"))
                .as("readings of another clock, of two versions")
                .isZero();
    }

    @OnEachJdk
    void andAnAgentThatIsAttachedAreOneClock(Jdk jdk) {
        Facts facts = Presence.DETACHED.of(boost(jdk)).facts();
        assertThat(facts.number("attached.otherClock"))
                .as("readings of another clock, attached")
                .isZero();
        facts.check("attached.isInstalled", false, "whether that is the program's doing");
        assertThat(facts.number("detached.otherClock")).as("and detached").isPositive();
    }

    @Tag("long")
    @OnEachJdk
    void givesWayToAnOperatorWhoAttaches(Jdk jdk) {
        Program boosted = Presence.DETACHED.of(
                Program.stock(jdk, BoostProbe.class, READINGS, "stays").nativeAccess());
        Facts facts = boosted.facts();
        assertThat(facts.text("beforeAttaching.isInstalled")).isEqualTo("true");
        assertThat(facts.text("attached.isInstalled")).isEqualTo("false");
        facts.check("attached.uninstall", false, "taking away what an operator has asked for");
        assertThat(facts.number("attached.otherClock"))
                .as("readings of another clock, attached")
                .isZero();
    }

    @OnEachJdk
    void isRefusedWithoutJavaManagement(Jdk jdk) {
        assumeTrue(jdk.feature() >= 9, jdk + " has no modules to leave out");
        Facts facts = bare(jdk).facts();
        assertThat(facts.text("cpu")).as("what a reading answers all the same").isEqualTo("time");
        assertThat(facts.number("threads")).as("threads in a snapshot").isPositive();
        assertThat(facts.text("install"))
                .as("the refusal")
                .contains("java.management")
                .contains("as it was");
        assertThat(facts.text("isInstalled")).isEqualTo("false");
    }

    @Tag("long")
    @OnEachJdk
    void isInstalledByOneOfTheClassLoadersThatTryAtOnce(Jdk jdk) {
        Facts facts = copies(jdk).facts();
        assertThat(facts.number("loadable")).as("copies that could be loaded").isEqualTo(2 * PAIRS);
        assertThat(facts.number("pairsOfWhichOneInstalled"))
                .as("pairs of which one installed")
                .isEqualTo(PAIRS);
        assertTakesTurns(copies(jdk));
    }

    @OnEachJdk
    @Tag("timing")
    void takesTurnsAlsoWithAnOperator(Jdk jdk) {
        assertTakesTurns(copies(jdk).present(Presence.TOGGLED_LESS));
    }

    @OnEachJdk
    @Tag("timing")
    void takesTurnsAlsoWithAnOperatorsCopyOfAnotherVersion(Jdk jdk) {
        assertTakesTurns(copies(jdk).present(Presence.TOGGLED_OTHER_VERSION));
    }

    @Tag("long")
    @OnEachJdk
    void isInstalledByOneOfTheClassLoadersThatLoadTheSameFileAtOnce(Jdk jdk) {
        String file = "-Dthreadclock.library=" + Program.LIBRARY.path();
        assertThat(copies(jdk).jvmOption(file).facts().number("loadable"))
                .as("copies loaded")
                .isEqualTo(2 * PAIRS);
    }

    private static Program copies(Jdk jdk) {
        return Program.stock(jdk, CopiesProbe.class, Integer.toString(PAIRS)).nativeAccess();
    }

    private static void assertTakesTurns(Program program) {
        Facts facts = program.facts();
        assertThat(facts.number("installs"))
                .as("how often the copies have installed")
                .isGreaterThanOrEqualTo(500);
        assertThat(facts.number("together"))
                .as("how often two were installed at once")
                .isZero();
        assertThat(facts.number("left"))
                .as("copies that are installed in the end")
                .isZero();
        facts.check("oneMore", true, "installing once more");
    }

    private static Program bare(Jdk jdk) {
        return Program.stock(jdk, BareRuntimeProbe.class).nativeAccess().jvmOption("--limit-modules", "java.base");
    }

    private static void assertAnswers(Facts facts, String call, String first, String second) {
        assertThat(facts.text(call)).as("the first %s()", call).isEqualTo(first);
        assertThat(facts.text(call + "Again")).as("the second %s()", call).isEqualTo(second);
    }

    private static Program boost(Jdk jdk) {
        return Program.stock(jdk, BoostProbe.class, READINGS).nativeAccess();
    }

    private static Facts facts(Jdk jdk) {
        return boost(jdk).facts();
    }
}
