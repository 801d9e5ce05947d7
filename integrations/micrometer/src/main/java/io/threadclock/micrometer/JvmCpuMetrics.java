// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.threadclock.JvmCpuTimes;
import io.threadclock.JvmThreadKind;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import java.util.Locale;

/**
 * The cost of the JVM's own threads: {@code threadclock.jvm.cpu.time} in seconds, by {@code kind} ({@code gc},
 * {@code jit}, {@code vm}). What counts, and what it costs to ask: {@link JvmCpuTimes}. Kinds that are not known here
 * are not bound.
 *
 * @since 0.1
 */
public final class JvmCpuMetrics extends GuardedBinder {
    private final Tags tags;

    /** Adds no tags. */
    public JvmCpuMetrics() {
        this(Tags.empty());
    }

    /**
     * Adds further tags.
     *
     * @param tags in addition to the meters' own
     */
    public JvmCpuMetrics(Iterable<Tag> tags) {
        this.tags = Tags.of(tags);
    }

    @Override
    void bind(MeterRegistry registry) {
        for (JvmThreadKind kind : JvmThreadKind.values()) {
            if (JvmCpuTimes.read().cpuTimeNs(kind) != JvmCpuTimes.UNKNOWN) {
                Tags ofKind = tags.and(Key.KIND.is(kind.name().toLowerCase(Locale.ROOT)));
                ThreadClockMeter.JVM_CPU_TIME.time(
                        registry, ofKind, () -> JvmCpuTimes.read().cpuTimeNs(kind));
            }
        }
    }
}
