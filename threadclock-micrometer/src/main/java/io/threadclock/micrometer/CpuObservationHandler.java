// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;

/**
 * What observations cost, so whatever is observed already: requests of Spring's servers and clients, methods with
 * {@code @Observed}, one's own. For the observation {@code NAME} a timer {@code NAME.cpu.time}, with the tags of
 * Micrometer's own wall-time timer {@code NAME} (low-cardinality key values, and {@code error}) and {@code mode} ({@code
 * user}, {@code system}).
 *
 * <pre>{@code
 * observationRegistry.observationConfig().observationHandler(new CpuObservationHandler(meterRegistry));
 * }</pre>
 *
 * <p>It counts what the observation's scopes cost, each in its thread, and what runs in them, inner observations too.
 * Nothing is recorded of an observation without a scope, or whose scopes were all in virtual threads. Beside others,
 * give it as it is: a {@code FirstMatchingCompositeObservationHandler} would let only one of them have the observation.
 * Thread-safe.
 */
public final class CpuObservationHandler implements ObservationHandler<Observation.Context> {
    private final ObservationTimers timers;

    /**
     * Measures all observations that it is told of.
     *
     * @param registry gets the timers
     */
    public CpuObservationHandler(MeterRegistry registry) {
        timers = new ObservationTimers(registry);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }

    @Override
    public void onStart(Observation.Context context) {
        context.put(ScopeTimes.class, new ScopeTimes());
    }

    @Override
    public void onScopeOpened(Observation.Context context) {
        times(context).open();
    }

    @Override
    public void onScopeClosed(Observation.Context context) {
        times(context).close();
    }

    /** Micrometer 1.17 advises against it, and calls it all the same: the scopes leave the thread for a while. */
    @Override
    @SuppressWarnings("deprecation")
    public void onScopeReset(Observation.Context context) {
        times(context).reset();
    }

    @Override
    public void onStop(Observation.Context context) {
        ScopeTimes times = times(context);
        if (times.isMeasured()) {
            timers.of(context).record(times.userNs(), times.systemNs());
        }
    }

    private static ScopeTimes times(Observation.Context context) {
        return context.getRequired(ScopeTimes.class);
    }
}
