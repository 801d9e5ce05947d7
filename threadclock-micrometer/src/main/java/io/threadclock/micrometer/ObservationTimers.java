// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The timers of observations, kept by what tells observations apart: the registry would make an id of a name and sorted
 * tags for each look, which takes longer than all else. Thread-safe.
 */
final class ObservationTimers {
    private static final String SUFFIX = ".cpu.time";
    private static final String DESCRIPTION = "CPU time of the observation's scopes, in user or in system mode";

    /** Then they are looked up anew: a filter may deny a registry's timers, and these would still grow in number. */
    private static final int MAX_KINDS = 10_000;

    private final MeterRegistry registry;
    private final Map<Kind, Pair> pairs = new ConcurrentHashMap<>();
    private final AtomicLong removals = new AtomicLong();

    ObservationTimers(MeterRegistry registry) {
        this.registry = registry;
        registry.config().onMeterRemoved(removed -> forget());
    }

    Pair of(Observation.Context context) {
        Kind kind = new Kind(context);
        Pair known = pairs.get(kind);
        return known != null ? known : register(kind);
    }

    /** What the registry has removed while this went on is not kept. */
    private Pair register(Kind kind) {
        long removalsBefore = removals.get();
        if (pairs.size() >= MAX_KINDS) {
            pairs.clear();
        }
        Tags tags = kind.tags();
        Pair pair = new Pair(timer(kind, tags, "user"), timer(kind, tags, "system"));
        pairs.put(kind, pair);
        if (removals.get() != removalsBefore) {
            pairs.remove(kind);
        }
        return pair;
    }

    private void forget() {
        removals.incrementAndGet();
        pairs.clear();
    }

    private Timer timer(Kind kind, Tags tags, String mode) {
        return Timer.builder(kind.name + SUFFIX)
                .description(DESCRIPTION)
                .tags(tags.and(Key.MODE.is(mode)))
                .register(registry);
    }

    static final class Pair {
        private final Timer user;
        private final Timer system;

        private Pair(Timer user, Timer system) {
            this.user = user;
            this.system = system;
        }

        void record(long userNs, long systemNs) {
            user.record(userNs, TimeUnit.NANOSECONDS);
            system.record(systemNs, TimeUnit.NANOSECONDS);
        }
    }

    /** Observations whose times are added up. */
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

        /** As Micrometer's own timer names it; anonymous classes have no simple name. */
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
