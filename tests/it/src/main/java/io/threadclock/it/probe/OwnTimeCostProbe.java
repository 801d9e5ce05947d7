// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongSupplier;

/** Prints what a call for the own user time and one for the own CPU time cost, ns, at their fastest. */
public final class OwnTimeCostProbe {
    private static final int ROUNDS = 20;
    private static final int CALLS = 500;

    /** Keeps the compiler from dropping the calls. */
    private static long lastNs;

    private OwnTimeCostProbe() {}

    public static void main(String[] arguments) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Fact.print("userCallNs", leastNs(threads::getCurrentThreadUserTime));
        Fact.print("cpuCallNs", leastNs(threads::getCurrentThreadCpuTime));
    }

    private static long leastNs(LongSupplier call) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long beginNs = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                lastNs = call.getAsLong();
            }
            least = Math.min(least, (System.nanoTime() - beginNs) / CALLS);
        }
        return least;
    }
}
