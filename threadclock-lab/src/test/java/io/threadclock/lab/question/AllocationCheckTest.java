// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllocationCheckTest {
    @Test
    void takesWhatJmhItselfAllocatesForNothing() {
        assertThat(AllocationCheck.complaint(List.of(bytes("cpuTimeNs", 0.004, 0.0201))))
                .isEmpty();
    }

    @Test
    void namesEachPathThatAllocates() {
        List<Measurement> series =
                List.of(bytes("cpuTimeNs", 0.001), bytes("stopwatchLap", 24.02), bytes("userTimeNs", 16.001));
        assertThat(AllocationCheck.complaint(series)).hasValueSatisfying(complaint -> assertThat(complaint)
                .startsWith("Measuring what a read allocates, which must be nothing: stopwatchLap by library"
                        + " JNI on JDK 17.0.15 allocates 24.02 B, userTimeNs by library JNI on JDK 17.0.15"
                        + " allocates 16.00 B. "));
    }

    @Test
    void seesOneObjectInHundredsOfReads() {
        assertThat(AllocationCheck.complaint(List.of(bytes("cpuTimeNs", 16 / 300.0))))
                .isPresent();
    }

    @Test
    void forgivesASingleIterationInWhichAnotherThreadAllocates() {
        assertThat(AllocationCheck.complaint(List.of(bytes("cpuTimeNs", 3.5, 0.002))))
                .isEmpty();
    }

    @Test
    void looksAtNoOtherBenchmark() {
        Measurement time =
                Measurement.of(new Subject("jmh.average", "17.0.15", "rdtsc", "one read", null), "ns", List.of(9.3));
        assertThat(AllocationCheck.complaint(List.of(time))).isEmpty();
    }

    @Test
    void isBlindIfAnObjectIsNotSeen() {
        assertThat(AllocationCheck.isLive(bytes(AllocationCheck.CONTROL, 40.003)))
                .isTrue();
        assertThat(AllocationCheck.isLive(bytes(AllocationCheck.CONTROL, 0.001)))
                .isFalse();
    }

    private static Measurement bytes(String path, Double... iterations) {
        return Measurement.of(
                new Subject(Benchmarks.JMH_ALLOCATION, "17.0.15", "library JNI", path, null), "B", List.of(iterations));
    }
}
