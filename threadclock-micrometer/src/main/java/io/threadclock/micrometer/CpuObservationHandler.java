// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;

/**
 * The cost of observations, and so of whatever is observed already: requests of Spring's servers and clients, methods with
 * {@code @Observed}, one's own. For the observation {@code NAME}, with the tags of Micrometer's own wall-time timer {@code
 * NAME} (low-cardinality key values, and {@code error}):
 *
 * <ul>
 *   <li>a timer {@code NAME-cpu}, CPU time;
 *   <li>counters {@code NAME.cpu.time} in seconds, by {@code mode} ({@code user}, {@code system}): the parts of that;
 *   <li>a counter {@code NAME.cpu.unmeasured}, of the observations that are not in either.
 * </ul>
 *
 * <p>Histograms and percentiles of the timer are configured under its own name: what Spring Boot is told of {@code NAME} it
 * applies to what continues that after a dot, which the timer does not.
 *
 * <pre>{@code
 * observationRegistry.observationConfig().observationHandler(new CpuObservationHandler(meterRegistry));
 * }</pre>
 *
 * <p>It counts what the observation's scopes cost, each in its thread, and what runs in them, inner observations too. An
 * observation is unmeasured if it had no scope, or one of them was in a virtual thread that is not accounted, or still open in
 * another thread when it was stopped, or where the clock is not supported: rather no figure than one that is too small. Beside others,
 * give the handler as it is: a {@code FirstMatchingCompositeObservationHandler} would let only one of them have the
 * observation. Thread-safe.
 */
public final class CpuObservationHandler implements ObservationHandler<Observation.Context> {
    private final ObservationMeters meters;

    /**
     * Measures all observations that it is told of.
     *
     * @param registry gets the meters of each kind of observation when the first of it stops
     */
    public CpuObservationHandler(MeterRegistry registry) {
        meters = new ObservationMeters(registry);
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
        times.stop();
        meters.record(context, times);
    }

    private static ScopeTimes times(Observation.Context context) {
        return context.getRequired(ScopeTimes.class);
    }
}
