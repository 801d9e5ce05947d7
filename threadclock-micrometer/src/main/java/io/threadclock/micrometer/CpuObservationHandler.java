// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.threadclock.AccountUsage;

/**
 * Measures the CPU time of observations: requests of Spring's servers and clients, methods with {@code @Observed},
 * and your own. For the observation {@code NAME}, with the tags of Micrometer's own wall-time timer {@code
 * NAME} (low-cardinality key values, and {@code error}):
 *
 * <ul>
 *   <li>a timer {@code NAME-cpu}, CPU time;
 *   <li>counters {@code NAME.cpu.time} in seconds, by {@code mode} ({@code user}, {@code system}): the parts of that;
 *   <li>a counter {@code NAME.cpu.unmeasured}, of the observations that are not in either;
 *   <li>counters {@code NAME.run.delay}, time in which its threads wanted to run and had no CPU, and {@code
 *       NAME.not.running}, in which they waited for anything else, in seconds. Both, and CPU time, are the wall time of the
 *       scopes. Observations whose waits are not known ({@link io.threadclock.AccountUsage#partsOfUnknownWaits()}), as in
 *       virtual threads, are not in them.
 * </ul>
 *
 * <p>Histograms and percentiles of the timer are configured under its own name. Spring Boot applies settings for
 * {@code NAME} to names that continue it after a dot; the timer's name does not.
 *
 * <pre>{@code
 * observationRegistry.observationConfig().observationHandler(new CpuObservationHandler(meterRegistry));
 * }</pre>
 *
 * <p>It counts the cost of the observation's scopes, each in its thread, and of everything that runs in them, inner
 * observations included. An observation is unmeasured if it had no scope, if a scope was in a virtual thread that is
 * not accounted, if a scope was still open in another thread when the observation stopped, or if the clock is not
 * supported: any figure would be too small. Register it separately from other handlers: in a {@code
 * FirstMatchingCompositeObservationHandler}, only one of them would get the observation. Thread-safe.
 *
 * @since 0.1
 */
public final class CpuObservationHandler extends MeasuringHandler {
    private final ObservationMeters meters;

    /**
     * Measures all observations that it is notified of.
     *
     * @param registry gets the meters of each kind of observation when the first of it stops
     */
    public CpuObservationHandler(MeterRegistry registry) {
        meters = new ObservationMeters(registry);
    }

    @Override
    void tell(Observation.Context context, AccountUsage usage) {
        meters.record(context, usage);
    }
}
