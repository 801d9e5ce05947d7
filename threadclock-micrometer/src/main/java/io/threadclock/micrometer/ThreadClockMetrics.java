// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.threadclock.ClockUnavailableException;
import io.threadclock.ThreadClock;

/**
 * All meters that need no change of the program: {@link ThreadPoolMetrics}, {@link ProcessCpuMetrics}, {@link JvmCpuMetrics},
 * {@link CpuQuotaMetrics} and {@link ClockHealthMetrics}, with their default settings.
 *
 * <pre>{@code
 * new ThreadClockMetrics().bindTo(registry);
 * }</pre>
 *
 * <p>Thread-safe. Closing it ends its two daemon threads.
 *
 * @since 0.1
 */
public final class ThreadClockMetrics implements MeterBinder, AutoCloseable {
    private final ThreadPoolMetrics pools = new ThreadPoolMetrics();
    private final ClockHealthMetrics health = new ClockHealthMetrics();

    /** Bound to no registry yet. */
    public ThreadClockMetrics() {}

    @Override
    public void bindTo(MeterRegistry registry) {
        pools.bindTo(registry);
        new ProcessCpuMetrics().bindTo(registry);
        new JvmCpuMetrics().bindTo(registry);
        new CpuQuotaMetrics().bindTo(registry);
        health.bindTo(registry);
    }

    @Override
    public void close() {
        pools.close();
        health.close();
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
