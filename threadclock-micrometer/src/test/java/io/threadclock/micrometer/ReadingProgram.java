// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.ThreadClock;
import java.time.Duration;

/**
 * The program of {@link MeasuringCostIT}: reads the clock as often as it is told to. It prints the cost according to
 * the meters, and the true cost.
 */
final class ReadingProgram {
    private static final int WARM_UP = 200_000;

    private ReadingProgram() {}

    public static void main(String[] arguments) {
        MeterRegistry registry = new SimpleMeterRegistry();
        try (ClockHealthMetrics metrics = new ClockHealthMetrics(Tags.empty(), Duration.ofMillis(20))) {
            metrics.bindTo(registry);
            read(WARM_UP);
            double beginSeconds = measured(registry);
            long beginNs = ThreadClock.cpuTimeNs();
            read(Long.parseLong(arguments[0]));
            double spentSeconds = (ThreadClock.cpuTimeNs() - beginNs) / 1e9;
            System.out.println("meters " + (measured(registry) - beginSeconds));
            System.out.println("thread " + spentSeconds);
        }
    }

    private static void read(long count) {
        long lastNs = 0;
        for (long i = 0; i < count; i++) {
            long nowNs = ThreadClock.cpuTimeNs();
            if (nowNs < lastNs) {
                throw new AssertionError(nowNs + " ns after " + lastNs);
            }
            lastNs = nowNs;
        }
    }

    private static double measured(MeterRegistry registry) {
        return registry.get("threadclock.measuring.cpu.time")
                .tag("work", "resyncs")
                .functionCounter()
                .count();
    }
}
