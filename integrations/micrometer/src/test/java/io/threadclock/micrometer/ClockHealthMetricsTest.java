// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.ThreadClock;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClockHealthMetricsTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final ClockHealthMetrics metrics = new ClockHealthMetrics();

    @BeforeEach
    void bind() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        metrics.bindTo(registry);
    }

    @Test
    void tellTheSourceInUse() {
        String inUse = ThreadClock.source().name().toLowerCase(Locale.ROOT);
        assertThat(registry.get("threadclock.supported").gauge().value()).isEqualTo(1);
        assertThat(registry.get("threadclock.source").gauges()).hasSize(7);
        assertThat(registry.get("threadclock.source")
                        .tag("source", inUse)
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(registry.get("threadclock.source").gauges().stream()
                        .mapToDouble(Gauge::value)
                        .sum())
                .as("sources in use")
                .isEqualTo(1);
    }

    @Test
    void countResyncs() throws InterruptedException {
        double firstBefore = resyncs("first");
        Thread reader = new Thread(ThreadClock::cpuTimeNs);
        reader.start();
        reader.join();
        assertThat(resyncs("first") - firstBefore).as("first readings").isGreaterThanOrEqualTo(1);
        assertThat(suspected("yes") + suspected("no"))
                .as("threads that sleep too often for ticks")
                .isNotNegative();
    }

    private double suspected(String sampled) {
        return registry.get("threadclock.suspected")
                .tag("sampled", sampled)
                .gauge()
                .value();
    }

    private double resyncs(String cause) {
        return registry.get("threadclock.resyncs")
                .tag("cause", cause)
                .functionCounter()
                .count();
    }
}
