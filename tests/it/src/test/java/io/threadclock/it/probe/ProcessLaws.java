// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Starts processes between readings. */
public final class ProcessLaws {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int COUNT = 10;
    private static final int STATUS = 7;

    void readOnBesideProcessesThatTheyStart() throws IOException, InterruptedException {
        Tally readings = new Tally();
        long lastNs = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < COUNT; i++) {
            assertThat(new ProcessBuilder("sh", "-c", "exit " + STATUS).start().waitFor())
                    .as("status of a process")
                    .isEqualTo(STATUS);
            long nowNs = THREADS.getCurrentThreadCpuTime();
            readings.atLeast(lastNs, nowNs);
            lastNs = nowNs;
        }
        readings.assertNoBreach("a reading is not below the one before the process");
    }
}
