// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.ChurnProbe;
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
        Program churn = Program.stock(jdk, ChurnProbe.class, Thoroughness.of(jdk, THREADS, FEWER_THREADS, 250));
        Strikes.assertThatAllToldTheTruth(presence.of(churn).facts());
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndModes")
    @Tag("timing")
    void isSurvivedInAnotherMode(Jdk jdk, String mode) {
        JvmMode.assumeThat(jdk, mode);
        Strikes.assertThatAllToldTheTruth(Program.withAgent(jdk, ChurnProbe.class, FEW_THREADS)
                .jvmOption(mode)
                .facts());
    }
}
