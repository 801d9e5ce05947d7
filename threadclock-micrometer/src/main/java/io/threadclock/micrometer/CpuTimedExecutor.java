// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * An executor whose tasks are measured: {@code executor.cpu.time} in seconds, by {@code name} and {@code mode} ({@code
 * user}, {@code system}), {@code executor.cpu.tasks} and {@code executor.cpu.unmeasured}. Beside Micrometer's own timer
 * {@code executor}, which tells wall time: the quotient says how much of it was work.
 *
 * <p>A task costs two readings of the clock more. One that runs another one inside itself, as a caller that runs what a
 * full queue refuses, counts that one's cost too. Tasks in virtual threads that are not
 * accounted ({@link io.threadclock.VirtualThreads}) run unmeasured. Thread-safe.
 */
public final class CpuTimedExecutor implements Executor {
    private final Executor executor;
    private final TaskTimes times = new TaskTimes();

    /**
     * Measures the tasks that are given to it, and no others.
     *
     * @param registry gets the meters
     * @param executor runs the tasks
     * @param name of the executor: the tag {@code name}; one of its own, for a second one of that name is not seen
     * @param tags in addition to the meters' own
     */
    public CpuTimedExecutor(MeterRegistry registry, Executor executor, String name, Iterable<Tag> tags) {
        this.executor = executor;
        times.bindTo(registry, TaskTimes.EXECUTOR, Tags.of(tags).and(Key.NAME.is(name)));
    }

    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task);
        executor.execute(() -> times.run(task));
    }
}
