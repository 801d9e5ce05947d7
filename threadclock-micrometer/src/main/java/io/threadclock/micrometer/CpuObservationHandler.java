// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.threadclock.AccountUsage;
import java.util.Objects;

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
 * observations included. A scope that is still open in another thread when the observation stops counts up to then, with
 * unknown waits. An observation that is stopped several times is told once, by its first stop. An observation is unmeasured if it had no scope, if a scope was in a virtual thread that is not accounted, or if
 * the clock is not supported: any figure would be too small. Work that is handed to another thread without a scope is missing,
 * unless its task is {@linkplain #wrap wrapped}. Register it separately from other handlers: in a {@code
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

    /**
     * {@return a task whose cost also counts in the calling thread's current observation, and in those that it is a part of, until
     * they stop} Does not open a scope: what the task finds as its current observation stays as it was. If there is no current
     * observation, or it is measured by no handler of threadclock, this is the task itself. Costs two readings of the clock for each
     * of these observations. Thread-safe.
     *
     * @param observations the registry of the current observation
     * @param task may throw; its exceptions pass
     */
    public static Runnable wrap(ObservationRegistry observations, Runnable task) {
        return ScopeTimes.wrap(observations, Objects.requireNonNull(task, "task"));
    }

    @Override
    void tell(Observation.Context context, AccountUsage usage) {
        meters.record(context, usage);
    }
}
