// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Measures the CPU time of an executor service's tasks, as {@link CpuTimedExecutor} does. Everything else is done by
 * the executor.
 *
 * <pre>{@code
 * ExecutorService executor = CpuTimedExecutorService.monitor(registry, Executors.newFixedThreadPool(8), "orders");
 * }</pre>
 *
 * @since 0.1
 */
public final class CpuTimedExecutorService implements ExecutorService {
    private final ExecutorService executor;
    private final ExecutorTimes times = new ExecutorTimes();

    /**
     * Measures only the tasks that are given to it.
     *
     * @param registry gets the meters
     * @param executor runs the tasks
     * @param name of the executor: the tag {@code name}; it must be unique, because a second executor of that name has
     *     no meters
     * @param tags in addition to the meters' own
     */
    public CpuTimedExecutorService(MeterRegistry registry, ExecutorService executor, String name, Iterable<Tag> tags) {
        this.executor = executor;
        times.bindTo(registry, ExecutorTimes.EXECUTOR, Tags.of(tags).and(Key.NAME.is(name)));
    }

    /**
     * {@return an executor whose tasks are measured by Micrometer's timers as well, which
     * {@code ExecutorServiceMetrics.monitor} binds under the same name} The cost of those timers is not in the tasks'
     * CPU time.
     *
     * @param registry gets the meters
     * @param executor runs the tasks
     * @param name of the executor: the tag {@code name}; it must be unique, because a second executor of that name has
     *     no meters
     * @param tags in addition to the meters' own
     */
    public static ExecutorService monitor(MeterRegistry registry, ExecutorService executor, String name, Tag... tags) {
        Tags all = Tags.of(tags);
        ExecutorService timed = ExecutorServiceMetrics.monitor(registry, executor, name, all);
        return new CpuTimedExecutorService(registry, timed, name, all);
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(measured(task));
    }

    @Override
    public Future<?> submit(Runnable task) {
        return executor.submit(measured(task));
    }

    @Override
    public <T> Future<T> submit(Runnable task, T result) {
        return executor.submit(measured(task), result);
    }

    @Override
    public <T> Future<T> submit(Callable<T> task) {
        return executor.submit(measured(task));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        return executor.invokeAll(measured(tasks));
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException {
        return executor.invokeAll(measured(tasks), timeout, unit);
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        return executor.invokeAny(measured(tasks));
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return executor.invokeAny(measured(tasks), timeout, unit);
    }

    @Override
    public void shutdown() {
        executor.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return executor.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return executor.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return executor.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return executor.awaitTermination(timeout, unit);
    }

    /** Refuses anything that is not a task, as the executor itself does. */
    private Runnable measured(Runnable task) {
        Objects.requireNonNull(task);
        return () -> times.run(task);
    }

    private <T> Callable<T> measured(Callable<T> task) {
        Objects.requireNonNull(task);
        return () -> times.call(task::call);
    }

    private <T> List<Callable<T>> measured(Collection<? extends Callable<T>> tasks) {
        List<Callable<T>> measured = new ArrayList<>(tasks.size());
        for (Callable<T> task : tasks) {
            measured.add(measured(task));
        }
        return measured;
    }
}
