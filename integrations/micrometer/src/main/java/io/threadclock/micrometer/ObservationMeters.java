// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.Observation;
import io.threadclock.AccountUsage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The meters of observations, kept by the facts that distinguish observations. The registry would build an id of a name
 * and sorted tags for each access, which takes longer than everything else. Thread-safe.
 */
final class ObservationMeters {
    private static final String WHAT = "the observation's scopes";
    private static final String RUN_DELAY = ".run.delay";
    private static final String NOT_RUNNING = ".not.running";

    /**
     * Above this number, meters are looked up again each time. A filter may deny a registry's meters, and these entries
     * would still grow in number.
     */
    private static final int MAX_KINDS = 10_000;

    private final MeterRegistry registry;
    private final Map<Kind, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong removals = new AtomicLong();

    ObservationMeters(MeterRegistry registry) {
        this.registry = registry;
        registry.config().onMeterRemoved(removed -> forget());
    }

    /** Records what an observation has cost. Null if nobody knows. */
    void record(Observation.Context context, AccountUsage usage) {
        Entry entry = of(context);
        if (usage == null) {
            entry.timer.recordUnmeasured();
        } else {
            entry.record(usage);
        }
    }

    private Entry of(Observation.Context context) {
        Kind kind = new Kind(context);
        Entry known = entries.get(kind);
        return known != null ? known : register(kind);
    }

    /** An entry that the registry has removed meanwhile is not kept. */
    private Entry register(Kind kind) {
        long removalsBefore = removals.get();
        if (entries.size() >= MAX_KINDS) {
            entries.clear();
        }
        Entry entry = new Entry(kind.name, kind.tags(), registry);
        entries.put(kind, entry);
        if (removals.get() != removalsBefore) {
            entries.remove(kind);
        }
        return entry;
    }

    private void forget() {
        removals.incrementAndGet();
        entries.clear();
    }

    /** The meters of one kind. Those for known waits are made with the first such observation. */
    private static final class Entry {
        final CpuTimer timer;
        private final String name;
        private final Tags tags;
        private final MeterRegistry registry;
        private volatile Waits waits;

        Entry(String name, Tags tags, MeterRegistry registry) {
            this.name = name;
            this.tags = tags;
            this.registry = registry;
            timer = new CpuTimer(
                    registry,
                    name,
                    tags,
                    WHAT,
                    "observations",
                    "observations whose CPU time nobody knows, as in virtual threads that are not measured, or without a scope");
        }

        /** Two threads may both make the meters; the registry returns the same ones. */
        void record(AccountUsage usage) {
            timer.record(usage.userTimeNs(), usage.systemTimeNs());
            if (usage.partsOfUnknownWaits() > 0) {
                return;
            }
            if (waits == null) {
                waits = new Waits(this);
            }
            waits.record(usage);
        }

        Counter seconds(String suffix, String description) {
            return Counter.builder(name + suffix)
                    .description(description)
                    .baseUnit("seconds")
                    .tags(tags)
                    .register(registry);
        }
    }

    private static final class Waits {
        private final Counter runDelaySeconds;
        private final Counter notRunningSeconds;

        Waits(Entry entry) {
            runDelaySeconds = entry.seconds(
                    RUN_DELAY, "time of " + WHAT + " in which their threads wanted to run and had no CPU");
            notRunningSeconds = entry.seconds(
                    NOT_RUNNING, "time of " + WHAT + " in which their threads slept, or waited for anything but a CPU");
        }

        void record(AccountUsage usage) {
            runDelaySeconds.increment(usage.runDelayNs() / 1e9);
            notRunningSeconds.increment(usage.notRunningNs() / 1e9);
        }
    }

    /** A kind of observations whose times are added up. */
    private static final class Kind {
        final String name;
        private final String error;
        private final KeyValues values;

        Kind(Observation.Context context) {
            name = context.getName();
            error = nameOf(context.getError());
            values = context.getLowCardinalityKeyValues();
        }

        Tags tags() {
            Tags tags = Tags.of("error", error);
            for (KeyValue value : values) {
                tags = tags.and(value.getKey(), value.getValue());
            }
            return tags;
        }

        /** The name that Micrometer's own timer uses; anonymous classes have no simple name. */
        private static String nameOf(Throwable error) {
            if (error == null) {
                return "none";
            }
            String name = error.getClass().getSimpleName();
            return name.isEmpty() ? error.getClass().getName() : name;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Kind && equals((Kind) other);
        }

        private boolean equals(Kind other) {
            return name.equals(other.name) && error.equals(other.error) && values.equals(other.values);
        }

        @Override
        public int hashCode() {
            return (31 * name.hashCode() + error.hashCode()) * 31 + values.hashCode();
        }
    }
}
