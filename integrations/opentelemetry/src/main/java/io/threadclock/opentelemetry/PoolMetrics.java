// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import static io.opentelemetry.sdk.metrics.data.AggregationTemporality.CUMULATIVE;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableDoublePointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableLongPointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableMetricData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableSumData;
import io.opentelemetry.sdk.resources.Resource;
import io.threadclock.PoolAccumulator;
import io.threadclock.PoolName;
import io.threadclock.PoolTimes;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.diagnostics.FailureLog;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * The cost of thread pools, as metrics of OpenTelemetry's SDK. A daemon thread takes a snapshot each second, so that
 * short-lived threads are seen; it ends when nothing else refers to this, because an SDK that ends does not say so. No
 * failure reaches the program. Thread-safe.
 */
final class PoolMetrics implements MetricProducer {
    static final AttributeKey<String> POOL = AttributeKey.stringKey("threadclock.pool.name");

    /** As OpenTelemetry's semantic conventions have it. */
    static final AttributeKey<String> CPU_MODE = AttributeKey.stringKey("cpu.mode");

    static final String CONSEQUENCE_OF_FAILURE = "Metrics of thread pools may be missing.";

    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("io.threadclock");
    private static final int MAX_POOLS = 100;
    private static final long INTERVAL_MS = 1000;
    private static final double NS_PER_SECOND = 1e9;

    private final FailureLog failures = new FailureLog(CONSEQUENCE_OF_FAILURE);
    private final List<Pool> pools = new ArrayList<>();
    private final PoolAccumulator accumulator =
            new PoolAccumulator(PoolName::of, MAX_POOLS, times -> pools.add(new Pool(times)));
    private ScheduledExecutorService snapshots;

    /** Starts the daemon thread. The first collection does so, too, but may be a minute away. */
    synchronized void start() {
        if (snapshots == null) {
            snapshots = daemon();
            Runnable ticks = new Ticks(this, snapshots);
            snapshots.scheduleWithFixedDelay(ticks, INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public Collection<MetricData> produce(Resource resource) {
        try {
            return metrics(resource);
        } catch (Throwable failed) { // no memory, no clock, another version
            failures.report("Telling the cost of thread pools", failed);
            return Collections.emptyList();
        }
    }

    private synchronized Collection<MetricData> metrics(Resource resource) {
        start();
        snapshot();
        if (pools.isEmpty()) {
            return Collections.emptyList();
        }
        long nowEpochNs = epochNs();
        List<MetricData> metrics = new ArrayList<>();
        metrics.add(
                seconds(resource, "threadclock.pool.cpu.time", "CPU time of a pool's threads", cpuTimes(nowEpochNs)));
        if (accumulator.hasRunDelays()) {
            metrics.add(seconds(
                    resource,
                    "threadclock.pool.run_delay",
                    "Time in which a pool's threads wanted to run and had no CPU",
                    times(nowEpochNs, PoolTimes::runDelayNs)));
            metrics.add(seconds(
                    resource,
                    "threadclock.pool.not_running",
                    "Time in which a pool's threads did not want to run",
                    times(nowEpochNs, PoolTimes::notRunningNs)));
        }
        metrics.add(ImmutableMetricData.createLongSum(
                resource,
                SCOPE,
                "threadclock.pool.threads",
                "Living threads of a pool",
                "{thread}",
                ImmutableSumData.create(false, CUMULATIVE, threads(nowEpochNs))));
        return metrics;
    }

    /** Adds the metrics to a provider that exists already, if it has readers: without one, its meters do nothing. */
    static void addTo(MeterProvider provider) {
        Meter meter = provider.get(SCOPE.getName());
        if (meter != MeterProvider.noop().get(SCOPE.getName())) {
            new PoolMetrics().addTo(meter);
        }
    }

    /** Those that there are by now. One snapshot is for all of them. */
    private void addTo(Meter meter) {
        Map<String, ObservableMeasurement> figures = new HashMap<>();
        produce(Resource.empty()).forEach(metric -> figures.put(metric.getName(), figure(meter, metric)));
        ObservableMeasurement[] all = figures.values().toArray(new ObservableMeasurement[0]);
        if (all.length > 0) {
            meter.batchCallback(() -> record(figures), all[0], all);
        }
    }

    private static ObservableMeasurement figure(Meter meter, MetricData metric) {
        String name = metric.getName();
        return metric.getType() == MetricDataType.DOUBLE_SUM
                ? meter.counterBuilder(name)
                        .ofDoubles()
                        .setDescription(metric.getDescription())
                        .setUnit(metric.getUnit())
                        .buildObserver()
                : meter.upDownCounterBuilder(name)
                        .setDescription(metric.getDescription())
                        .setUnit(metric.getUnit())
                        .buildObserver();
    }

    private void record(Map<String, ObservableMeasurement> figures) {
        produce(Resource.empty()).stream()
                .filter(metric -> figures.containsKey(metric.getName()))
                .forEach(metric -> record(metric, figures.get(metric.getName())));
    }

    /** A metric of longs has no points of doubles, and the other way round. */
    private static void record(MetricData metric, ObservableMeasurement figure) {
        metric.getDoubleSumData().getPoints().forEach(point -> ((ObservableDoubleMeasurement) figure)
                .record(point.getValue(), point.getAttributes()));
        metric.getLongSumData().getPoints().forEach(point -> ((ObservableLongMeasurement) figure)
                .record(point.getValue(), point.getAttributes()));
    }

    private void tick() {
        try {
            snapshot();
        } catch (Throwable failed) { // or there would be no further ones
            failures.report("Taking a snapshot of all threads", failed);
        }
    }

    /** For a virtual thread, those of the daemon thread are enough. There are none without a clock. */
    private synchronized void snapshot() {
        if (!ThreadClock.canRead()) {
            return;
        }
        long nowNs = System.nanoTime();
        accumulator.add(ThreadsSnapshot.take().threads(), nowNs);
        for (PoolTimes gone : accumulator.dispensable(nowNs)) {
            if (accumulator.dismiss(gone)) {
                pools.removeIf(pool -> pool.times == gone);
            }
        }
    }

    private static ScheduledExecutorService daemon() {
        return new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "threadclock-pools");
            thread.setDaemon(true);
            return thread;
        });
    }

    private static MetricData seconds(
            Resource resource, String name, String description, List<DoublePointData> points) {
        return ImmutableMetricData.createDoubleSum(
                resource, SCOPE, name, description, "s", ImmutableSumData.create(true, CUMULATIVE, points));
    }

    private List<DoublePointData> cpuTimes(long nowEpochNs) {
        List<DoublePointData> points = new ArrayList<>();
        for (Pool pool : pools) {
            points.add(pool.seconds(nowEpochNs, pool.user, pool.times.userTimeNs()));
            points.add(pool.seconds(nowEpochNs, pool.system, pool.times.systemTimeNs()));
        }
        return points;
    }

    private List<DoublePointData> times(long nowEpochNs, ToLongFunction<PoolTimes> ns) {
        List<DoublePointData> points = new ArrayList<>();
        pools.forEach(pool -> points.add(pool.seconds(nowEpochNs, pool.attributes, ns.applyAsLong(pool.times))));
        return points;
    }

    private List<LongPointData> threads(long nowEpochNs) {
        List<LongPointData> points = new ArrayList<>();
        pools.forEach(pool -> points.add(
                ImmutableLongPointData.create(pool.startEpochNs, nowEpochNs, pool.attributes, pool.times.threads())));
        return points;
    }

    private static long epochNs() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    /** All that the daemon thread refers to. */
    private static final class Ticks extends WeakReference<PoolMetrics> implements Runnable {
        private final ExecutorService daemon;

        Ticks(PoolMetrics metrics, ExecutorService daemon) {
            super(metrics);
            this.daemon = daemon;
        }

        @Override
        public void run() {
            PoolMetrics metrics = get();
            if (metrics == null) {
                daemon.shutdown();
            } else {
                metrics.tick();
            }
        }
    }

    private static final class Pool {
        final PoolTimes times;
        final Attributes attributes;
        final Attributes user;
        final Attributes system;
        final long startEpochNs = epochNs();

        Pool(PoolTimes times) {
            this.times = times;
            attributes = Attributes.of(POOL, times.name());
            user = Attributes.of(POOL, times.name(), CPU_MODE, "user");
            system = Attributes.of(POOL, times.name(), CPU_MODE, "system");
        }

        DoublePointData seconds(long nowEpochNs, Attributes of, long ns) {
            return ImmutableDoublePointData.create(startEpochNs, nowEpochNs, of, ns / NS_PER_SECOND);
        }
    }
}
