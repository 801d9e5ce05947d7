// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.ReadingsProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
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
        String[] options = mode.split(" ");
        Program agent =
                Program.withAgent(jdk, ReadingsProbe.class, "4", "50000").jvmOption(options);
        if (agent.outcome().exitStatus() != 0) {
            JvmMode.assumeThat(jdk, options);
        }
        Laws.assertAll(agent.facts());
    }

    @OnEachJdk
    void theJvmsCheckOfJniComplainsOfNothingMoreThanOnTheStockJdk(Jdk jdk) {
        List<String> complaints = complaints(checked(Program.withAgent(jdk, ReadingsProbe.class, "4", "1000")));
        complaints.removeAll(complaints(checked(Program.stock(jdk, ReadingsProbe.class, "4", "1000"))));
        assertThat(complaints)
                .as("what -Xcheck:jni says with the agent and not without")
                .isEmpty();
    }

    private static Outcome checked(Program program) {
        Outcome outcome = program.jvmOption("-Xcheck:jni").outcome();
        assertThat(outcome.exitStatus())
                .as("%s ends with status 0%n%s", program, outcome.text())
                .isZero();
        return outcome;
    }

    /** Lines that are not facts of the probe; -Xcheck:jni writes to standard output. */
    private static List<String> complaints(Outcome outcome) {
        return outcome.text()
                .lines()
                .filter(line -> !line.matches("[A-Za-z]+=-?\\d+"))
                .collect(Collectors.toCollection(ArrayList::new));
    }
}
