// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.concurrent.TimeUnit;

/** io.airlift:stats, CpuTimer: the current thread's times, per piece of work. Argument: the milliseconds to work. */
public final class AirliftProbe {
    private AirliftProbe() {}

    public static void main(String[] arguments) throws Exception {
        long[] beginTicks = KernelAccount.splitTicks();
        Foreign timer = Foreign.create("io.airlift.stats.CpuTimer");
        Work.spin(Long.parseLong(arguments[0]));
        Foreign elapsed = Foreign.of(timer.call("elapsedTime"));
        long[] endTicks = KernelAccount.splitTicks();
        Fact.print("kernelUserTicks", endTicks[0] - beginTicks[0]);
        Fact.print("kernelSystemTicks", endTicks[1] - beginTicks[1]);
        Fact.print("userNs", ns(elapsed, "getUser"));
        Fact.print("cpuNs", ns(elapsed, "getCpu"));
        Consumer.printShape(elapsed.object().toString(), ".*");
        Consumer.printCost(() -> timer.call("elapsedTime"));
    }

    private static long ns(Foreign elapsed, String part) {
        return (long) Foreign.of(elapsed.call(part)).call("roundTo", TimeUnit.NANOSECONDS);
    }
}
