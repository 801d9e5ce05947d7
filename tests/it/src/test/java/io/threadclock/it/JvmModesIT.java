// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the laws of readings in a JVM that compiles, collects or checks in another way than by default. */
class JvmModesIT {
    static Stream<Arguments> jdksAndModes() {
        return JdksUnderTest.withEach(jdk -> Thoroughness.settings(
                jdk,
                4,
                "-Xint",
                "-Xcomp -XX:TieredStopAtLevel=1",
                "-XX:-TieredCompilation",
                "-XX:+UseZGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:off",
                "-XX:+UseSerialGC",
                "-XX:+UseParallelGC",
                "-XX:+UseG1GC"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("jdksAndModes")
    void keepsTheLawsOfReadings(Jdk jdk, String mode) {
        JvmMode.assertPasses(Laws.of(jdk, 50_000).agent(""), mode);
    }

    @OnEachJdk
    void theJvmsCheckOfJniComplainsOfNothingMoreThanOnTheStockJdk(Jdk jdk) {
        Program program = Laws.unjudged(jdk, 1_000).jvmOption("-Xcheck:jni");
        List<String> complaints = new ArrayList<>(
                program.agent("").passes().outcome().text().lines().toList());
        complaints.removeAll(program.outcome().text().lines().toList());
        assertThat(complaints)
                .as("what -Xcheck:jni says with the agent and not without")
                .isEmpty();
    }
}
