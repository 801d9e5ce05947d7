// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.threadclock.AccountUsage;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Measures the CPU time of observations: requests of Spring's servers and clients, methods with {@code @Observed}, and
 * your own. For the observation {@code NAME}, with the tags of Micrometer's own wall-time timer {@code NAME}
 * (low-cardinality key values, and {@code error}):
 *
 * <ul>
 *   <li>a timer {@code NAME-cpu}, CPU time;
 *   <li>counters {@code NAME.cpu.time} in seconds, by {@code mode} ({@code user}, {@code system}): the parts of that;
 *   <li>a counter {@code NAME.cpu.unmeasured}, of the observations that are not in either;
 *   <li>counters {@code NAME.run.delay}, time in which its threads wanted to run and had no CPU, and
 *       {@code NAME.not.running}, in which they waited for anything else, in seconds. Both, and CPU time, are the wall
 *       time of the scopes. Observations whose waits are not known
 *       ({@link io.threadclock.AccountUsage#partsOfUnknownWaits()}), as in virtual threads, are not in them.
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
 * observations included, except for scopes of unrelated ones. A scope that is still open in another thread when the
 * observation stops counts up to then, with unknown waits. An observation that is stopped several times is told once,
 * by its first stop. An observation is unmeasured if it had no scope, if a scope was in a virtual thread that is not
 * measured, or if the clock is not supported: any figure would be too small; and if a scope was closed by another
 * thread, or left open in one that went on to an unrelated observation: the figure might be that of other work. Work
 * that is handed to another thread without a scope is missing, unless its task is {@linkplain #wrap wrapped}. Register
 * it separately from other handlers: in a {@code FirstMatchingCompositeObservationHandler}, only one of them would get
 * the observation. Thread-safe.
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
     * {@return a task whose cost also counts in the calling thread's current observation, and in those that it is a
     * part of, until they stop} So does what the task hands on in the same way. Does not open a scope: what the task
     * finds as its current observation stays as it was. If there is no current observation, or it is measured by no
     * handler of threadclock, this is the task itself. Costs two readings of the clock for each of these observations.
     * Thread-safe.
     *
     * @param observations the registry of the current observation
     * @param task may throw; its exceptions pass
     */
    public static Runnable wrap(ObservationRegistry observations, Runnable task) {
        Objects.requireNonNull(task, "task");
        return measured(ScopeTimes.current(observations), task);
    }

    private static Runnable measured(List<ScopeTimes> current, Runnable task) {
        return current.isEmpty()
                ? task
                : () -> {
                    List<ScopeTimes> outer = ScopeTimes.openAll(current);
                    try {
                        task.run();
                    } finally {
                        ScopeTimes.closeAll(current, outer);
                    }
                };
    }

    /**
     * {@return a task that is measured as that of {@link #wrap(ObservationRegistry, Runnable)}} A lambda that returns a
     * value is such a task.
     *
     * @param <T> of its result
     * @param observations the registry of the current observation
     * @param task may throw; its exceptions pass
     */
    public static <T> Callable<T> wrap(ObservationRegistry observations, Callable<T> task) {
        Objects.requireNonNull(task, "task");
        List<ScopeTimes> current = ScopeTimes.current(observations);
        return current.isEmpty()
                ? task
                : () -> {
                    List<ScopeTimes> outer = ScopeTimes.openAll(current);
                    try {
                        return task.call();
                    } finally {
                        ScopeTimes.closeAll(current, outer);
                    }
                };
    }

    /**
     * {@return a supplier that is measured as the task of {@link #wrap(ObservationRegistry, Runnable)}} This is for
     * {@code CompletableFuture.supplyAsync}, with or without an executor.
     *
     * @param <T> of its result
     * @param observations the registry of the current observation
     * @param supplier may throw; its exceptions pass
     */
    public static <T> Supplier<T> wrapSupplier(ObservationRegistry observations, Supplier<T> supplier) {
        Objects.requireNonNull(supplier, "supplier");
        List<ScopeTimes> current = ScopeTimes.current(observations);
        return current.isEmpty()
                ? supplier
                : () -> {
                    List<ScopeTimes> outer = ScopeTimes.openAll(current);
                    try {
                        return supplier.get();
                    } finally {
                        ScopeTimes.closeAll(current, outer);
                    }
                };
    }

    /**
     * {@return an executor whose tasks are each measured as that of {@link #wrap(ObservationRegistry, Runnable)}} They
     * count in the observations that are current now, whoever hands them over: the stages of a
     * {@code CompletableFuture} to which it is passed, for example. If there are none now, it may serve all requests:
     * each task counts in those that are current when it is handed over.
     *
     * @param observations the registry of the current observation
     * @param executor runs the tasks
     */
    public static Executor wrap(ObservationRegistry observations, Executor executor) {
        Objects.requireNonNull(executor, "executor");
        List<ScopeTimes> current = ScopeTimes.current(observations);
        return current.isEmpty()
                ? task -> executor.execute(wrap(observations, task))
                : task -> executor.execute(measured(current, Objects.requireNonNull(task, "task")));
    }

    /**
     * Has this observation counted as unmeasured when it stops, by all handlers of threadclock: for programs that know
     * that a part of its work runs outside of its scopes and of wrapped tasks. Does nothing if no handler of
     * threadclock measures it, or after it has stopped. Thread-safe.
     *
     * @param context of an observation that has started
     */
    public static void lose(Observation.ContextView context) {
        ScopeTimes times = context.get(ScopeTimes.class);
        if (times != null) {
            times.lose();
        }
    }

    @Override
    void tell(Observation.Context context, AccountUsage usage) {
        meters.record(context, usage);
    }
}
