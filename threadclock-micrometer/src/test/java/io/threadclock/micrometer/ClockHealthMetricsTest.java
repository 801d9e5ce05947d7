// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.ThreadClock;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ClockHealthMetricsTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final ClockHealthMetrics metrics = new ClockHealthMetrics();

    @BeforeEach
    void bind() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        metrics.bindTo(registry);
    }

    @AfterEach
    void close() {
        metrics.close();
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
    void measureTheLatencyByThemselves() {
        assertThat(awaitLatencyNs("read")).as("ns of a reading after a reading").isPositive();
        assertThat(awaitLatencyNs("switch"))
                .as("ns of a reading after a switch")
                .isNotNaN()
                .isNotNegative();
    }

    @Test
    @Tag("timing")
    void tellALatencyThatAReadingCanHave() {
        double repeated = awaitLatencyNs("read");
        double switched = awaitLatencyNs("switch");
        assertThat(repeated).as("ns of a reading after a reading").isBetween(1.0, 100_000.0);
        assertThat(switched).as("ns of a reading after a switch").isBetween(1.0, 1_000_000.0);
    }

    private double awaitLatencyNs(String after) {
        Gauge latency =
                registry.get("threadclock.read.latency").tag("after", after).timeGauge();
        long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (Double.isNaN(latency.value()) && System.nanoTime() < endNs) {
            Thread.yield();
        }
        return latency.value()
                * 1e9
                / registry.get("threadclock.read.latency")
                        .tag("after", after)
                        .timeGauge()
                        .baseTimeUnit()
                        .convert(1, TimeUnit.SECONDS);
    }

    @Test
    void countResyncsAndWhatTheyTake() throws InterruptedException {
        awaitLatencyNs("switch");
        double firstBefore = resyncs("first");
        double callsBefore =
                registry.get("threadclock.system.calls").functionCounter().count();
        double spentBefore = spentOnResyncs();
        Thread reader = new Thread(ThreadClock::cpuTimeNs);
        reader.start();
        reader.join();
        assertThat(resyncs("first") - firstBefore).as("first readings").isGreaterThanOrEqualTo(1);
        assertThat(registry.get("threadclock.system.calls").functionCounter().count())
                .as("system calls")
                .isGreaterThan(callsBefore);
        assertThat(spentOnResyncs()).as("seconds spent").isGreaterThan(spentBefore);
        assertThat(registry.get("threadclock.readers").gauge().value()).isPositive();
        assertThat(suspected("yes") + suspected("no"))
                .as("threads whose ticks cannot be trusted")
                .isBetween(0.0, registry.get("threadclock.readers").gauge().value());
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

    private double spentOnResyncs() {
        return registry.get("threadclock.measuring.cpu.time")
                .tag("work", "resyncs")
                .functionCounter()
                .count();
    }
}
