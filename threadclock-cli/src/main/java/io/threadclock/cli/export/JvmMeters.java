// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * The meters of one JVM, with the names that the library's meters have. All of them go with it. Used by the JVM's thread
 * alone; the registry asks them in its own.
 */
final class JvmMeters implements AutoCloseable {
    static final Tags USER = Tags.of("mode", "user");
    static final Tags SYSTEM = Tags.of("mode", "system");
    private static final double NS_PER_S = 1e9;

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<String, List<Meter>> ofPools = new HashMap<>();
    private final List<Meter> ofJvm = new ArrayList<>();

    /** The registry holds what a counter asks weakly. */
    private final Map<Meter, Object> held = new HashMap<>();

    /** @param jvm the label */
    JvmMeters(MeterRegistry registry, String jvm) {
        this.registry = registry;
        this.tags = Tags.of("jvm", jvm);
    }

    void seconds(ExportedMeter meter, Tags more, LongSupplier ns) {
        ofJvm.add(counter(meter, more, () -> ns.getAsLong() / NS_PER_S));
    }

    void count(ExportedMeter meter, Tags more, LongSupplier count) {
        ofJvm.add(counter(meter, more, count::getAsLong));
    }

    void level(ExportedMeter meter, Tags more, DoubleSupplier level) {
        ofJvm.add(gauge(meter, more, level));
    }

    void addPool(String name, PoolTotals pool, boolean hasWaits) {
        Tags its = Tags.of("pool", name);
        List<Meter> meters = new ArrayList<>();
        meters.add(counter(ExportedMeter.POOL_CPU_TIME, its.and(USER), () -> pool.userNs() / NS_PER_S));
        meters.add(counter(ExportedMeter.POOL_CPU_TIME, its.and(SYSTEM), () -> pool.systemNs() / NS_PER_S));
        meters.add(gauge(ExportedMeter.POOL_THREADS, its, pool::threads));
        if (hasWaits) {
            meters.add(counter(ExportedMeter.POOL_RUN_DELAY, its, () -> pool.runDelayNs() / NS_PER_S));
            meters.add(counter(ExportedMeter.POOL_NOT_RUNNING, its, () -> pool.notRunningNs() / NS_PER_S));
            meters.add(counter(ExportedMeter.POOL_SWITCHES, its, pool::switches));
        }
        ofPools.put(name, meters);
    }

    void removePool(String name) {
        ofPools.remove(name).forEach(this::remove);
    }

    private Meter counter(ExportedMeter meter, Tags more, DoubleSupplier count) {
        Meter counter = FunctionCounter.builder(meter.meter, count, DoubleSupplier::getAsDouble)
                .description(meter.description)
                .baseUnit(meter.unit)
                .tags(tags.and(more))
                .register(registry);
        held.put(counter, count);
        return counter;
    }

    private Meter gauge(ExportedMeter meter, Tags more, DoubleSupplier level) {
        return Gauge.builder(meter.meter, level::getAsDouble)
                .description(meter.description)
                .baseUnit(meter.unit)
                .tags(tags.and(more))
                .register(registry);
    }

    private void remove(Meter meter) {
        registry.remove(meter);
        held.remove(meter);
    }

    @Override
    public void close() {
        List.copyOf(ofPools.keySet()).forEach(this::removePool);
        ofJvm.forEach(this::remove);
        ofJvm.clear();
    }
}
