// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On real time, because they compare with the kernel; the bounds are wide enough for a busy machine. */
@InChild(agent = InChild.Loading.AGENTPATH)
class ThreadTimesIT {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long SYSTEM_MS = 400; // of CPU time
    private static final int SLEEPS = 5;
    private static final long SLEEP_MS = 50;
    private static final long SLEEP_COST_NS = 2_000_000;

    @Test
    @Tag("timing")
    void mostOfTheTimeInSystemCallsIsNoUserTime() {
        long cpuBeginNs = THREADS.getCurrentThreadCpuTime();
        long userBeginNs = THREADS.getCurrentThreadUserTime();
        Work.readZeros(SYSTEM_MS);
        long userNs = THREADS.getCurrentThreadUserTime() - userBeginNs;
        long cpuNs = THREADS.getCurrentThreadCpuTime() - cpuBeginNs;
        assertThat((double) userNs / cpuNs)
                .as("user time / CPU time of large reads: %s ns / %s ns", userNs, cpuNs)
                .isBetween(0.0, 0.5);
    }

    @Test
    @Tag("timing")
    void aSleepAddsNextToNothing() throws InterruptedException {
        long[] addedNs = new long[SLEEPS];
        for (int i = 0; i < SLEEPS; i++) {
            long beginNs = THREADS.getCurrentThreadCpuTime();
            Thread.sleep(SLEEP_MS);
            addedNs[i] = THREADS.getCurrentThreadCpuTime() - beginNs;
        }
        Arrays.sort(addedNs);
        assertThat(addedNs[SLEEPS / 2])
                .as("median of the CPU time added by a sleep of %s ms, ns", SLEEP_MS)
                .isBetween(0L, SLEEP_COST_NS);
    }
}
