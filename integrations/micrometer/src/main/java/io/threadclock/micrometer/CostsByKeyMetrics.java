// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.threadclock.AccountUsage;
import io.threadclock.CostsByKey;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import io.threadclock.micrometer.ThreadClockMeter.NanoTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * The costs of an engine's tenants, tables or users: {@code threadclock.key…}, by {@code name} and {@code key}, which
 * is what the key's {@code toString()} first returns, or {@value #OTHERS}. Keys with the same text are one. There are
 * at most seven series for each key of the {@link CostsByKey}, and seven for the others; a new key has its own after
 * the next scrape. A scrape reads all keys, but no more often than each 100 ms.
 *
 * @since 0.1
 */
public final class CostsByKeyMetrics extends GuardedBinder {
    /** Stands for all keys that have no place of their own. */
    public static final String OTHERS = "(other keys)";

    /** Tests set it. */
    long freshNs = TimeUnit.MILLISECONDS.toNanos(100);

    private final CostsByKey<?> costs;
    private final Tags tags;
    private final Map<Object, String> texts = new IdentityHashMap<>();
    private final Map<MeterRegistry, Set<String>> registered = new ConcurrentHashMap<>();
    private Map<String, List<AccountUsage>> last;
    private long readAtNs;

    /**
     * Binds nothing yet.
     *
     * @param costs to be read; their keys' {@code toString()} must not throw
     * @param name of the keys, such as "tenant": the tag {@code name}; it must be unique
     * @param tags in addition to the meters' own
     */
    public CostsByKeyMetrics(CostsByKey<?> costs, String name, Iterable<Tag> tags) {
        this.costs = costs;
        this.tags = Tags.of(tags).and(Key.NAME.is(name));
    }

    @Override
    void bind(MeterRegistry registry) {
        look(registry);
    }

    /** Registers when it holds no lock any more, because others may read meters in the middle of that. */
    private Map<String, List<AccountUsage>> look(MeterRegistry registry) {
        Map<String, List<AccountUsage>> now = read();
        Set<String> known = registered.computeIfAbsent(registry, first -> ConcurrentHashMap.newKeySet());
        now.keySet().stream().filter(known::add).forEach(key -> register(key, registry));
        return now;
    }

    private synchronized Map<String, List<AccountUsage>> read() {
        if (last == null || System.nanoTime() - readAtNs >= freshNs) {
            CostsByKey.Snapshot<?> usage = costs.read();
            Map<String, List<AccountUsage>> now = new HashMap<>();
            now.put(OTHERS, new ArrayList<>(Collections.singleton(usage.rest())));
            usage.keys().forEach(key -> {
                String text = texts.computeIfAbsent(key.getKey(), Object::toString);
                now.computeIfAbsent(text, first -> new ArrayList<>()).add(key.getValue());
            });
            last = now;
            readAtNs = System.nanoTime();
        }
        return last;
    }

    private void register(String key, MeterRegistry registry) {
        Tags ofKey = tags.and(Key.KEY.is(key));
        NanoTime userNs = () -> figure(AccountUsage::userTimeNs, key, registry);
        NanoTime systemNs = () -> figure(AccountUsage::systemTimeNs, key, registry);
        NanoTime runDelayNs = () -> figure(AccountUsage::runDelayNs, key, registry);
        NanoTime notRunningNs = () -> figure(AccountUsage::notRunningNs, key, registry);
        ThreadClockMeter.KEY_CPU_TIME.times(registry, ofKey, userNs, systemNs);
        ThreadClockMeter.KEY_RUN_DELAY.time(registry, ofKey, runDelayNs);
        ThreadClockMeter.KEY_NOT_RUNNING.time(registry, ofKey, notRunningNs);
        ThreadClockMeter.KEY_PARTS.count(registry, ofKey, () -> figure(AccountUsage::parts, key, registry));
        ThreadClockMeter.KEY_UNMEASURED.level(
                registry, ofKey, () -> figure(AccountUsage::unmeasuredParts, key, registry));
        ThreadClockMeter.KEY_UNKNOWN_WAITS.level(
                registry, ofKey, () -> figure(AccountUsage::partsOfUnknownWaits, key, registry));
    }

    private long figure(ToLongFunction<AccountUsage> figure, String key, MeterRegistry registry) {
        return look(registry).get(key).stream()
                .mapToLong(figure)
                .filter(known -> known > 0)
                .sum();
    }
}
