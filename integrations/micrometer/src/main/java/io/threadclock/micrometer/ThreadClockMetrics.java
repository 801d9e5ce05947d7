// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.threadclock.ClockUnavailableException;
import io.threadclock.ThreadClock;

/**
 * All meters that need no change of the program: {@link ThreadPoolMetrics}, {@link ProcessCpuMetrics},
 * {@link JvmCpuMetrics}, {@link CpuQuotaMetrics} and {@link ClockHealthMetrics}, with their default settings.
 *
 * <pre>{@code
 * new ThreadClockMetrics().bindTo(registry);
 * }</pre>
 *
 * <p>Thread-safe. Closing it ends its daemon thread.
 *
 * @since 0.1
 */
public final class ThreadClockMetrics implements MeterBinder, AutoCloseable {
    private static final int SECONDS_BETWEEN_LOOKS = 10;

    private final CpuQuotaMetrics quota = new CpuQuotaMetrics();
    private final ThreadPoolMetrics pools =
            ThreadPoolMetrics.builder().alsoEachInterval(this::lookAtQuota).build();
    private final ClockHealthMetrics health = new ClockHealthMetrics();

    private int seconds;

    /** Bound to no registry yet. */
    public ThreadClockMetrics() {}

    @Override
    public void bindTo(MeterRegistry registry) {
        pools.bindTo(registry);
        new ProcessCpuMetrics().bindTo(registry);
        new JvmCpuMetrics().bindTo(registry);
        quota.bindTo(registry);
        health.bindTo(registry);
    }

    @Override
    public void close() {
        pools.close();
    }

    /** Is called each second. A container may get its quota while the program runs. */
    private void lookAtQuota() {
        if (++seconds % SECONDS_BETWEEN_LOOKS == 0) {
            quota.look();
        }
    }

    /** Whether snapshots can be taken, even if only by the JDK's own bean. */
    static boolean isReadable() {
        try {
            ThreadClock.source();
            return true;
        } catch (ClockUnavailableException neitherNorFallenBack) {
            return false;
        }
    }
}
