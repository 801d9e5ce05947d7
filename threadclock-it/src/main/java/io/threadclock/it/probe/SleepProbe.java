// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/** Prints what several sleeps add to the sleeper's CPU time. Argument: the milliseconds of each. */
public final class SleepProbe {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int SLEEPS = 5;

    private SleepProbe() {}

    public static void main(String[] arguments) throws InterruptedException {
        long sleepMs = Long.parseLong(arguments[0]);
        long[] addedNs = new long[SLEEPS];
        for (int i = 0; i < SLEEPS; i++) {
            long beginNs = THREADS.getCurrentThreadCpuTime();
            Thread.sleep(sleepMs);
            addedNs[i] = THREADS.getCurrentThreadCpuTime() - beginNs;
        }
        Arrays.sort(addedNs);
        Fact.print("medianAdded", addedNs[SLEEPS / 2]);
    }
}
