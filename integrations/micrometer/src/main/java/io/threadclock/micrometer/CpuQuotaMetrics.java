// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.threadclock.CpuQuota;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The CPU quota that a container has, and how often it had to wait for more: {@code threadclock.cgroup.quota} in CPUs,
 * {@code threadclock.cgroup.periods}, {@code threadclock.cgroup.throttled.periods} and
 * {@code threadclock.cgroup.throttled.time} in seconds, of the control group that allows the process least. A registry
 * that asks for one of them reads some files of the kernel's ({@link CpuQuota#read}).
 *
 * <p>If the process has no quota, or it or its counts cannot be seen, nothing is bound; {@link ThreadClockMetrics}
 * looks again every ten seconds. If the quota is lifted later, it is told as infinite, and the others stay as they
 * were.
 *
 * @since 0.1
 */
public final class CpuQuotaMetrics extends GuardedBinder {
    private final Tags tags;
    private final Supplier<CpuQuota> read;
    private final List<MeterRegistry> waiting = new CopyOnWriteArrayList<>();
    private volatile CpuQuota.Group last;

    /** Adds no tags. */
    public CpuQuotaMetrics() {
        this(Tags.empty());
    }

    /**
     * Adds further tags.
     *
     * @param tags in addition to the meters' own
     */
    public CpuQuotaMetrics(Iterable<Tag> tags) {
        this(tags, CpuQuota::read);
    }

    CpuQuotaMetrics(Iterable<Tag> tags, Supplier<CpuQuota> read) {
        this.tags = Tags.of(tags);
        this.read = read;
    }

    @Override
    void bind(MeterRegistry registry) {
        if (isSet()) {
            register(registry);
        } else {
            waiting.add(registry);
        }
    }

    /** Binds the registries that came when there was no quota, if there is one now. */
    void look() {
        if (waiting.isEmpty() || !isSet()) {
            return;
        }
        for (MeterRegistry registry : waiting) {
            if (waiting.remove(registry)) {
                bindTo(registry);
            }
        }
    }

    private boolean isSet() {
        return group() != null && last.periods() != CpuQuota.UNKNOWN;
    }

    private void register(MeterRegistry registry) {
        ThreadClockMeter.CGROUP_QUOTA.level(registry, tags, () -> read.get().cpus());
        ThreadClockMeter.CGROUP_PERIODS.count(registry, tags, () -> group().periods());
        ThreadClockMeter.CGROUP_THROTTLED_PERIODS.count(registry, tags, () -> group().throttledPeriods());
        ThreadClockMeter.CGROUP_THROTTLED_TIME.time(registry, tags, () -> group().throttledTimeNs());
    }

    /** Null if there has been none. */
    private CpuQuota.Group group() {
        last = read.get().tightest().orElse(last);
        return last;
    }
}
