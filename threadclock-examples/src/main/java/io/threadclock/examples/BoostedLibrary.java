// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.airlift.stats.CpuTimer;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadMXBeanBoost;
import java.util.concurrent.TimeUnit;

/**
 * How can I speed up a library that I cannot change? The library here, airlift's CpuTimer, asks the JDK's ThreadMXBean
 * for CPU and user time, as database engines do for each page of data. One call makes ThreadMXBean fast; another one
 * undoes it.
 *
 * <pre>java -cp threadclock-examples/target/threadclock-examples.jar io.threadclock.examples.BoostedLibrary</pre>
 */
public final class BoostedLibrary {
    private static final long MEASURING_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final int CALLS = 100;

    private BoostedLibrary() {}

    public static void main(String[] arguments) {
        print("as the JDK has it");
        ThreadMXBeanBoost.install();
        print("installed");
        ThreadMXBeanBoost.uninstall();
        print("uninstalled");
    }

    private static void print(String state) {
        System.out.printf("CpuTimer.elapsedTime(), %s: %,d ns a call%n", state, nsPerCall());
    }

    /**
     * Takes the least of many short batches, because the first ones run before the compiler has, and some while others
     * have the CPU.
     */
    private static long nsPerCall() {
        CpuTimer timer = new CpuTimer();
        long leastNs = Long.MAX_VALUE;
        long endNs = ThreadClock.cpuTimeNs() + MEASURING_NS;
        while (ThreadClock.cpuTimeNs() < endNs) {
            leastNs = Math.min(leastNs, nsPerCall(timer));
        }
        return leastNs;
    }

    private static long nsPerCall(CpuTimer timer) {
        long beginNs = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            timer.elapsedTime();
        }
        return (System.nanoTime() - beginNs) / CALLS;
    }
}
