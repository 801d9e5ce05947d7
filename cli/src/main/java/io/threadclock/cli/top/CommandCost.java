// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import java.time.Duration;

/** The cost of this command itself, as a ratio of one core, between the last two calls. */
final class CommandCost {
    private long lastNs = System.nanoTime();
    private long lastCpuNs = cpuNs();
    private double ratio;

    void update() {
        long nowNs = System.nanoTime();
        long cpuNs = cpuNs();
        if (nowNs > lastNs) {
            ratio = (double) (cpuNs - lastCpuNs) / (nowNs - lastNs);
        }
        lastNs = nowNs;
        lastCpuNs = cpuNs;
    }

    double ratio() {
        return ratio;
    }

    private static long cpuNs() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElse(0L);
    }
}
