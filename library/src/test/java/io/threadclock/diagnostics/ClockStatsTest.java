// SPDX-License-Identifier: Apache-2.0
package io.threadclock.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.ThreadClock;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClockStatsTest {
    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    @Test
    void countAThreadsFirstReading() throws InterruptedException {
        ThreadClock.cpuTimeNs();
        ClockStats before = ThreadClock.stats();
        Thread reader = new Thread(ThreadClock::cpuTimeNs);
        reader.start();
        reader.join();
        ClockStats after = ThreadClock.stats();
        assertThat(after.resyncs(ResyncCause.FIRST) - before.resyncs(ResyncCause.FIRST))
                .as("first readings")
                .isEqualTo(1);
        assertThat(after.threads()).as("living threads, this one among them").isPositive();
    }

    @Test
    void addUpTheCauses() {
        ThreadClock.cpuTimeNs();
        ClockStats stats = ThreadClock.stats();
        assertThat(Arrays.stream(ResyncCause.values()).mapToLong(stats::resyncs).sum())
                .isPositive()
                .isEqualTo(stats.resyncs());
        assertThat(stats.demotions()).as("demotions").isBetween(0L, 3L);
    }
}
