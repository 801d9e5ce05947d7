// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Test;

class RunDelaysTest {
    @Test
    void readTheSecondFigureOfALine() {
        assertThat(RunDelays.parse("1000 234 5\n")).isEqualTo(234);
    }

    @Test
    void areUnknownToAKernelThatDoesNotCount() {
        assertThat(RunDelays.parse("0 0 0\n")).isEqualTo(RunDelays.UNKNOWN);
        assertThat(RunDelays.parse("")).isEqualTo(RunDelays.UNKNOWN);
    }

    @Test
    void areUnknownOfAThreadThatDoesNotExist() {
        assertThat(RunDelays.ofThread(0)).isEqualTo(RunDelays.UNKNOWN);
        assertThat(RunDelays.ofThread(Integer.MAX_VALUE)).isEqualTo(RunDelays.UNKNOWN);
    }

    @Test
    void areAtMostThoseThatTheThreadItselfReadsLater() {
        assumeThat(ThreadClock.waits().runDelayNs()).as("run delay, ns").isNotNegative();
        int tid = ThreadsSnapshot.take().threads().stream()
                .filter(sample -> sample.threadId() == Thread.currentThread().getId())
                .mapToInt(ThreadSample::tid)
                .findFirst()
                .orElseThrow();
        long beforeNs = ThreadClock.waits().runDelayNs();
        long delayNs = RunDelays.ofThread(tid);
        assertThat(delayNs).isBetween(beforeNs, ThreadClock.waits().runDelayNs());
    }
}
