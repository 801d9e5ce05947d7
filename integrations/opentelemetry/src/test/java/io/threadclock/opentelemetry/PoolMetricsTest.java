// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.logging.Filter;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PoolMetricsTest {
    private final InMemoryMetricReader reader = InMemoryMetricReader.create();

    private void start(String property, String value) {
        Sdk.with(property, value)
                .addMeterProviderCustomizer((builder, config) -> builder.registerMetricReader(reader))
                .build();
    }

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
    }

    private Map<String, MetricData> collected() {
        return reader.collectAllMetrics().stream()
                .filter(metric -> metric.getName().startsWith("threadclock."))
                .collect(Collectors.toMap(MetricData::getName, Function.identity()));
    }

    private static double seconds(MetricData metric, String pool, String mode) {
        return metric.getDoubleSumData().getPoints().stream()
                .filter(point -> pool.equals(point.getAttributes().get(PoolMetrics.POOL)))
                .filter(point -> mode.equals(point.getAttributes().get(PoolMetrics.CPU_MODE)))
                .mapToDouble(DoublePointData::getValue)
                .sum();
    }

    /** Seconds in binary fractions may add up to less than they stand for. */
    private static long cpuNs(MetricData metric, String pool) {
        return Math.round((seconds(metric, pool, "user") + seconds(metric, pool, "system")) * 1e9);
    }

    /** Burns CPU time, and ends when it is told to. */
    private static void work(CompletableFuture<Void> worked, CompletableFuture<Void> end) {
        long usedNs = ThreadClock.cpuTimeNs();
        while (usedNs < 20_000_000) {
            usedNs = ThreadClock.cpuTimeNs();
        }
        worked.complete(null);
        end.join();
    }

    @Test
    void tellWhatAPoolHasCost() throws InterruptedException {
        CompletableFuture<Void> worked = new CompletableFuture<>();
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread worker = new Thread(() -> work(worked, end), "otel-worker-7");
        worker.start();
        worked.join();
        long leastNs = ThreadsSnapshot.take().thread(worker.getId()).get().cpuTimeNs();
        start("threadclock.pools.enabled", "true");
        Map<String, MetricData> metrics = collected();
        MetricData cpu = metrics.get("threadclock.pool.cpu.time");
        assertThat(cpu.getUnit()).isEqualTo("s");
        assertThat(cpu.getDoubleSumData().isMonotonic()).isTrue();
        assertThat(cpuNs(cpu, "otel-worker-*")).isGreaterThanOrEqualTo(leastNs);
        assertThat(metrics.get("threadclock.pool.threads").getLongSumData().getPoints())
                .filteredOn(
                        point -> "otel-worker-*".equals(point.getAttributes().get(PoolMetrics.POOL)))
                .singleElement()
                .satisfies(point -> assertThat(point.getValue()).isEqualTo(1));
        end.complete(null);
        worker.join();
        assertThat(cpuNs(collected().get("threadclock.pool.cpu.time"), "otel-worker-*"))
                .as("after its thread has ended")
                .isGreaterThanOrEqualTo(leastNs);
    }

    @Test
    void tellHowThreadsHaveWaitedWhereTheKernelDoes() {
        assumeThat(ThreadClock.waits().runDelayNs()).as("run delay, ns").isNotNegative();
        start("threadclock.pools.enabled", "true");
        assertThat(collected()).containsKeys("threadclock.pool.run_delay", "threadclock.pool.not_running");
    }

    @Test
    void tellNothingIfTheyAreToldTo() {
        start("threadclock.pools.enabled", "false");
        assertThat(collected()).isEmpty();
    }

    @Test
    void throwNothingIntoTheSdksStart() {
        SpanCostComponent component = new SpanCostComponent();
        component.create(null);
        component.afterAutoConfigure(null);
    }

    @Test
    void areThereAfterAWarningIfThePropertyIsNeitherTrueNorFalse() {
        List<String> logged = new ArrayList<>();
        Logger logger = Logger.getLogger(ThreadClockCustomizer.class.getName());
        Filter before = logger.getFilter();
        logger.setFilter(line -> !logged.add(line.getMessage()));
        start("threadclock.pools.enabled", "yes");
        logger.setFilter(before);
        assertThat(collected()).isNotEmpty();
        assertThat(logged)
                .containsExactly("Reading threadclock.pools.enabled: \"yes\" is neither true nor false."
                        + " Write true or false; the default is used.");
    }

    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void endTheirDaemonThreadWhenNobodyRefersToThem() {
        Set<Thread> before = daemons();
        new PoolMetrics().start();
        Set<Thread> started = daemons();
        started.removeAll(before);
        assertThat(started).isNotEmpty();
        while (started.stream().anyMatch(Thread::isAlive)) {
            System.gc();
            Thread.yield();
        }
    }

    private static Set<Thread> daemons() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("threadclock-pools"))
                .collect(Collectors.toSet());
    }
}
