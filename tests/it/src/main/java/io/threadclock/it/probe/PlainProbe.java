// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A program that prints the same in every run, and ends with a status of its own.
 *
 * <p>The steps show whose user time it reads: the JDK's stands still for a clock tick or longer, threadclock's moves
 * from reading to reading. At the gate "begin" the agent may be attached.
 */
public final class PlainProbe {
    public static final int STATUS = 5;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int READINGS = 1000;
    private static final int STEPS_OF_THE_JDK = 100;

    private PlainProbe() {}

    public static void main(String[] arguments) throws IOException {
        Gate.await("begin");
        int steps = 0;
        long lastNs = THREADS.getCurrentThreadUserTime();
        for (int i = 0; i < READINGS; i++) {
            long nowNs = THREADS.getCurrentThreadUserTime();
            steps += nowNs != lastNs ? 1 : 0;
            lastNs = nowNs;
        }
        Fact.print("userTimeMovesInTicks", steps < STEPS_OF_THE_JDK);
        System.exit(STATUS);
    }
}
