// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.ThreadClock;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class ProcessCpuMetricsTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void agreeWithTheJdk() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        new ProcessCpuMetrics().bindTo(registry);
        double seconds = registry.get("threadclock.process.cpu.time").functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
        double jdkSeconds = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                        .getProcessCpuTime()
                / 1e9;
        // The JDK counts in steps of 10 ms; other threads have run in between.
        assertThat(seconds).as("user + system, s").isBetween(jdkSeconds - 1, jdkSeconds + 0.1);
    }
}
