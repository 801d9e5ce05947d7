// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** What this process has taken since it began to record. */
final class RecorderCost {
    private final OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final long beginNs = System.nanoTime();
    private final long beginCpuNs = machine.getProcessCpuTime();

    /** CPU time, by the time that has passed. */
    double usageRatio() {
        return (double) (machine.getProcessCpuTime() - beginCpuNs) / Math.max(1, System.nanoTime() - beginNs);
    }

    /** As much as the JVM has taken of the machine for it, free parts included. */
    long heapBytes() {
        return Runtime.getRuntime().totalMemory();
    }

    String text() {
        return String.format(
                Locale.ROOT, ", this recorder %.1f %% beside it, with a heap of %d MB", 100 * usageRatio(), heapBytes() >> 20);
    }
}
