// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.threadclock.ThreadClock;
import io.threadclock.micrometer.ThreadClockMeter.NanoTime;

/**
 * The cost of the process: {@code threadclock.process.cpu.time} in seconds, by {@code mode} ({@code user},
 * {@code system}). It includes all threads, the JVM's own too; the difference to {@link ThreadPoolMetrics} is garbage
 * collection, compilation, and threads of native libraries. Costs one system call for each of the two when a registry
 * asks.
 *
 * <p>If the clock is not supported, nothing is bound.
 *
 * @since 0.1
 */
public final class ProcessCpuMetrics extends GuardedBinder {
    private final Tags tags;

    /** Adds no tags. */
    public ProcessCpuMetrics() {
        this(Tags.empty());
    }

    /**
     * Adds further tags.
     *
     * @param tags in addition to the meters' own
     */
    public ProcessCpuMetrics(Iterable<Tag> tags) {
        this.tags = Tags.of(tags);
    }

    @Override
    void bind(MeterRegistry registry) {
        if (!ThreadClock.isSupported()) {
            return;
        }
        NanoTime userNs = () -> ThreadClock.readProcess().userTimeNs();
        NanoTime systemNs = () -> ThreadClock.readProcess().systemTimeNs();
        ThreadClockMeter.PROCESS_CPU_TIME.times(registry, tags, userNs, systemNs);
    }
}
