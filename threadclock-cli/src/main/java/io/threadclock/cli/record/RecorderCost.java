// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The cost of this process since it began to record. */
final class RecorderCost {
    private static final String MOST_MEMORY = "VmHWM:";

    private final OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final long beginNs = System.nanoTime();
    private final long beginCpuNs = machine.getProcessCpuTime();

    /** CPU time / wall time. */
    double usageRatio() {
        return (double) (machine.getProcessCpuTime() - beginCpuNs) / Math.max(1, System.nanoTime() - beginNs);
    }

    /** The most memory that it ever had, QuestDB's mapped files included; 0 if the kernel does not tell. */
    long memoryKb() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith(MOST_MEMORY))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException hidden) {
            return 0;
        }
    }

    String text() {
        return String.format(
                Locale.ROOT,
                ", this recorder %.1f %% beside it, and %d MB of memory",
                100 * usageRatio(),
                memoryKb() >> 10);
    }
}
