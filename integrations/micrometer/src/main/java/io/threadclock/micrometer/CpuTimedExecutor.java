// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Measures the CPU time of an executor's tasks: {@code executor.cpu.time} in seconds, by {@code name} and {@code mode}
 * ({@code user}, {@code system}), {@code executor.cpu.tasks} and {@code executor.cpu.unmeasured}. Micrometer's own
 * timer {@code executor} measures wall time; the quotient of both says how much of it was work.
 *
 * <p>Each task costs two additional readings of the clock. If a task runs another task inside itself, as a caller does
 * when the queue is full, it includes that task's cost. Tasks in virtual threads that are not measured
 * ({@link io.threadclock.VirtualThreads}) run unmeasured. Thread-safe.
 *
 * @since 0.1
 */
public final class CpuTimedExecutor implements Executor {
    private final Executor executor;
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
    public CpuTimedExecutor(MeterRegistry registry, Executor executor, String name, Iterable<Tag> tags) {
        this.executor = executor;
        times.bindTo(registry, ExecutorTimes.EXECUTOR, Tags.of(tags).and(Key.NAME.is(name)));
    }

    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task);
        executor.execute(() -> times.run(task));
    }
}
