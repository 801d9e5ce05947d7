// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.ReadingsProbe;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the laws of any reading, on the main thread and on more threads than there are CPUs. */
class ReadingsIT {
    private static final String MAIN_THREAD = "0";
    private static final String EIGHT_THREADS = "8";
    private static final String PAIRS_EACH = Integer.toString(Thoroughness.orLittle(1_000_000, 50_000));

    static Stream<Arguments> jdksAndThreads() {
        return JdksUnderTest.withEach(MAIN_THREAD, EIGHT_THREADS);
    }

    @OnMainAndEightThreads
    void areNeverNegative(Jdk jdk, String threads) {
        Facts facts = readings(jdk, threads);
        assertThat(facts.number("negative"))
                .as("pairs below 0, of %s", facts.text("pairs"))
                .isZero();
    }

    @OnMainAndEightThreads
    void ofUserTimeNeverDecrease(Jdk jdk, String threads) {
        Laws.assertNone(readings(jdk, threads), "userDecreased", "user time never decreases");
    }

    @OnMainAndEightThreads
    void ofCpuTimeNeverDecrease(Jdk jdk, String threads) {
        Laws.assertNone(readings(jdk, threads), "cpuDecreased", "CPU time never decreases");
    }

    @OnMainAndEightThreads
    void ofUserTimeNeverExceedTheCpuTimeReadNext(Jdk jdk, String threads) {
        Laws.assertNone(readings(jdk, threads), "userAboveCpu", "user time never exceeds the CPU time read next");
    }

    @OnMainAndEightThreads
    @Tag("timing")
    void growWithTheWorkOfTheirThread(Jdk jdk, String threads) {
        Facts facts = readings(jdk, threads);
        assertThat(facts.number("leastUserNs"))
                .as("user time of a million pairs, ns")
                .isGreaterThan(1_000_000);
        assertThat(facts.number("leastCpuNs"))
                .as("CPU time of a million pairs, ns")
                .isGreaterThan(1_000_000);
    }

    private static Facts readings(Jdk jdk, String threads) {
        return Program.withAgent(jdk, ReadingsProbe.class, threads, PAIRS_EACH).facts();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest(name = "{0}, {1} threads (0: main)")
    @MethodSource("jdksAndThreads")
    @interface OnMainAndEightThreads {}
}
