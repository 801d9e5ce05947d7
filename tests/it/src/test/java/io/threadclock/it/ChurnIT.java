// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.ChurnLaws;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** While threads start and end, each answer is the truth or -1, and never another thread's time. */
class ChurnIT {
    private static final int THREADS = 5000;
    private static final int FEWER_THREADS = 1000;
    private static final String FEW_THREADS = "250";

    static Stream<Arguments> jdksAndPresences() {
        return JdksUnderTest.present(Presence.AGENTPATH, Presence.ATTACHED);
    }

    static Stream<Arguments> jdksAndModes() {
        return JdksUnderTest.withEach(jdk -> Thoroughness.settings(
                jdk,
                2,
                "-Xcheck:jni",
                "-XX:+UseZGC",
                "-XX:+UseSerialGC",
                "-XX:+UseParallelGC",
                "-XX:+UseShenandoahGC"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndPresences")
    void isSurvivedWithTheTruth(Jdk jdk, Presence presence) {
        presence.of(churn(jdk, Thoroughness.of(jdk, THREADS, FEWER_THREADS, 250)))
                .passes();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndModes")
    @Tag("timing")
    void isSurvivedInAnotherMode(Jdk jdk, String mode) {
        JvmMode.assertPasses(churn(jdk, FEW_THREADS).agent(""), mode);
    }

    @OnEachJdk
    @Tag("timing")
    void isSurvivedWhileTheAgentIsAttachedAndDetachedUpTo2000Times(Jdk jdk) {
        Presence toggled = Thoroughness.doesAll(jdk) ? Presence.TOGGLED : Presence.TOGGLED_LESS;
        toggling(jdk).present(toggled).passes();
    }

    @OnEachJdk
    @Tag("timing")
    void isSurvivedWhileTheProgramItselfInstallsAndUninstalls(Jdk jdk) {
        Presence.BOOST_TOGGLED.of(toggling(jdk)).passes();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndModes")
    @Tag("timing")
    void isSurvivedWhileTheAgentIsAttachedAndDetachedInAnotherMode(Jdk jdk, String mode) {
        JvmMode.assertPasses(toggling(jdk).present(Presence.TOGGLED_LESS), mode);
    }

    private static Program churn(Jdk jdk, String threads) {
        return Program.law(jdk, ChurnLaws.class, "isSurvivedWithTheTruth")
                .jvmOption("-Dthreadclock.it.threads=" + threads);
    }

    /** Threads start, end and ask for times without pause, until the agent has come and gone. */
    static Program toggling(Jdk jdk) {
        return Program.law(jdk, ChurnLaws.class, "isSurvivedUntilTheGateOpens");
    }
}
