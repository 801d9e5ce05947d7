// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.airlift.stats.CpuTimer;
import io.threadclock.ThreadMXBeanBoost;
import java.util.concurrent.TimeUnit;

/**
 * How does one speed up a library that one does not own? This one, airlift's CpuTimer, asks the JDK's ThreadMXBean for
 * CPU and user time, as engines do for each page of data. One call makes ThreadMXBean fast; another takes it back.
 *
 * <pre>java -cp threadclock-examples/target/threadclock-examples.jar io.threadclock.examples.BoostedLibrary</pre>
 */
public final class BoostedLibrary {
    private static final long BATCH_NS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final int BATCHES = 5;
    private static final int CALLS_BETWEEN_LOOKS = 100;

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

    /** The least of several batches: the first ones run before the compiler has. */
    private static long nsPerCall() {
        CpuTimer timer = new CpuTimer();
        long leastNs = Long.MAX_VALUE;
        for (int i = 0; i < BATCHES; i++) {
            leastNs = Math.min(leastNs, nsPerCall(timer));
        }
        return leastNs;
    }

    private static long nsPerCall(CpuTimer timer) {
        long beginNs = System.nanoTime();
        long calls = 0;
        long elapsedNs;
        do {
            for (int i = 0; i < CALLS_BETWEEN_LOOKS; i++) {
                timer.elapsedTime();
            }
            calls += CALLS_BETWEEN_LOOKS;
            elapsedNs = System.nanoTime() - beginNs;
        } while (elapsedNs < BATCH_NS);
        return elapsedNs / calls;
    }
}
