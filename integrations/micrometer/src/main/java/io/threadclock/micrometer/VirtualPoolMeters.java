// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualPoolTimes;
import io.threadclock.diagnostics.FailureLog;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The meters of pools of measured virtual threads. A pool stays, as it does in the library. Thread-safe. */
final class VirtualPoolMeters {
    private final Tags tags;
    private final Supplier<List<VirtualPoolTimes>> source;
    private final LongSupplier nanoTime;
    private final long freshNs;
    private final FailureLog failures;
    private final List<MeterRegistry> registries = new ArrayList<>();
    private Map<String, VirtualPoolTimes> last = new LinkedHashMap<>();
    private boolean hasLooked;
    private long lookedAtNs;
    private long spentNs;

    VirtualPoolMeters(
            Tags tags,
            Supplier<List<VirtualPoolTimes>> source,
            LongSupplier nanoTime,
            long freshNs,
            FailureLog failures) {
        this.tags = tags;
        this.source = source;
        this.nanoTime = nanoTime;
        this.freshNs = freshNs;
        this.failures = failures;
    }

    /** CPU time of all looks, in ns. */
    synchronized long spentNs() {
        return spentNs;
    }

    /** Later pools are registered by the look that finds them. */
    void bindTo(MeterRegistry registry) {
        look(freshNs);
        List<String> present;
        synchronized (this) {
            registries.add(registry);
            present = new ArrayList<>(last.keySet());
        }
        present.forEach(pool -> register(pool, registry));
    }

    /**
     * Registers new pools only when it holds no lock any more, because others may read meters in the middle of that.
     */
    void look(long ageNs) {
        List<String> found = new ArrayList<>();
        List<MeterRegistry> all;
        synchronized (this) {
            if (hasLooked && nanoTime.getAsLong() - lookedAtNs < ageNs) {
                return;
            }
            long beginNs = ThreadClock.canRead() ? ThreadClock.cpuTimeNs() : 0;
            Map<String, VirtualPoolTimes> now = new LinkedHashMap<>();
            source.get().forEach(pool -> now.put(pool.name(), pool));
            now.keySet().stream().filter(pool -> !last.containsKey(pool)).forEach(found::add);
            last = now;
            lookedAtNs = nanoTime.getAsLong();
            hasLooked = true;
            spentNs += ThreadClock.canRead() ? ThreadClock.cpuTimeNs() - beginNs : 0;
            all = new ArrayList<>(registries);
        }
        all.forEach(registry -> found.forEach(pool -> register(pool, registry)));
    }

    /** A pool that one registry refuses has meters in the others. */
    private void register(String pool, MeterRegistry registry) {
        try {
            registerMeters(pool, registry);
        } catch (Throwable refused) {
            failures.report("Registering the meters of virtual threads " + pool, refused);
        }
    }

    private void registerMeters(String pool, MeterRegistry registry) {
        Tags ofPool = tags.and(Key.POOL.is(pool));
        ThreadClockMeter.VIRTUAL_CPU_TIME.times(
                registry,
                ofPool,
                () -> figure(pool, VirtualPoolTimes::userTimeNs),
                () -> figure(pool, VirtualPoolTimes::systemTimeNs));
        if (!pool.equals(VirtualPoolTimes.REST)) {
            ThreadClockMeter.VIRTUAL_MOUNTS.count(registry, ofPool, () -> figure(pool, VirtualPoolTimes::mounts));
            ThreadClockMeter.VIRTUAL_THREADS.level(registry, ofPool, () -> figure(pool, VirtualPoolTimes::threads));
        }
    }

    private long figure(String pool, ToLongFunction<VirtualPoolTimes> figure) {
        look(freshNs);
        synchronized (this) {
            return figure.applyAsLong(last.get(pool));
        }
    }
}
