// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ProcessCpuMetricsTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void bind() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        new ProcessCpuMetrics().bindTo(registry);
    }

    private double seconds() {
        return registry.get("threadclock.process.cpu.time").functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }

    @Test
    void tellWhatTheClockReadsOfTheProcess() {
        CpuTimes before = ThreadClock.readProcess();
        long ns = Math.round(seconds() * 1e9);
        assertThat(ns)
                .as("user + system, ns")
                .isBetween(before.cpuTimeNs(), ThreadClock.readProcess().cpuTimeNs());
    }

    @Test
    @Tag("timing")
    void agreeWithTheJdk() {
        double beforeSeconds = jdkSeconds();
        double seconds = seconds();
        // The JDK counts in steps of 10 ms.
        assertThat(seconds).as("user + system, s").isBetween(beforeSeconds - 0.1, jdkSeconds() + 0.1);
    }

    private static double jdkSeconds() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                        .getProcessCpuTime()
                / 1e9;
    }
}
