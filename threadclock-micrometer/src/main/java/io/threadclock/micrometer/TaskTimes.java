// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.threadclock.ClockUnavailableException;
import io.threadclock.ThreadClock;
import io.threadclock.TimesHolder;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import java.util.concurrent.atomic.LongAdder;

/**
 * The cost of the tasks of one executor, or of the calls of one method, so far, each in the thread that ran it. A task
 * whose thread cannot be read runs all the same, and is counted as unmeasured. Thread-safe.
 */
final class TaskTimes {
    /** The prefix of Micrometer's own meters of executors. */
    static final String EXECUTOR = "executor";

    /**
     * One holder per thread for all tasks, because it is outside the heap and expensive to create. Null without a
     * clock.
     */
    private static final ThreadLocal<TimesHolder> HOLDERS = ThreadLocal.withInitial(TimesHolder::new);

    private final LongAdder userNs = new LongAdder();
    private final LongAdder systemNs = new LongAdder();
    private final LongAdder tasks = new LongAdder();
    private final LongAdder unmeasured = new LongAdder();

    void run(Runnable task) {
        TimesHolder times = begin();
        long beginUserNs = times == null ? 0 : times.userTimeNs();
        long beginSystemNs = times == null ? 0 : times.systemTimeNs();
        try {
            task.run();
        } finally {
            end(times, beginUserNs, beginSystemNs);
        }
    }

    <T, E extends Throwable> T call(Task<T, E> task) throws E {
        TimesHolder times = begin();
        long beginUserNs = times == null ? 0 : times.userTimeNs();
        long beginSystemNs = times == null ? 0 : times.systemTimeNs();
        try {
            return task.call();
        } finally {
            end(times, beginUserNs, beginSystemNs);
        }
    }

    /** Binds the meters of executors, with that name in place of {@link #EXECUTOR}. */
    void bindTo(MeterRegistry registry, String name, Tags tags) {
        ThreadClockMeter.EXECUTOR_CPU_TIME
                .timeCounter(name + ".cpu.time", userNs::sum)
                .tags(tags.and(Key.MODE.is("user")))
                .register(registry);
        ThreadClockMeter.EXECUTOR_CPU_TIME
                .timeCounter(name + ".cpu.time", systemNs::sum)
                .tags(tags.and(Key.MODE.is("system")))
                .register(registry);
        ThreadClockMeter.EXECUTOR_CPU_TASKS
                .counter(name + ".cpu.tasks", tasks::sum)
                .tags(tags)
                .register(registry);
        ThreadClockMeter.EXECUTOR_CPU_UNMEASURED
                .counter(name + ".cpu.unmeasured", unmeasured::sum)
                .tags(tags)
                .register(registry);
    }

    /** The holder belongs to all tasks of the thread, and one task may run another one inside itself. */
    private TimesHolder begin() {
        TimesHolder times = ThreadClock.canRead() ? HOLDERS.get() : null;
        return times != null && isRead(times) ? times : null;
    }

    private void end(TimesHolder times, long beginUserNs, long beginSystemNs) {
        if (times == null || !isRead(times)) {
            unmeasured.increment();
            return;
        }
        userNs.add(times.userTimeNs() - beginUserNs);
        systemNs.add(times.systemTimeNs() - beginSystemNs);
        tasks.increment();
    }

    private static boolean isRead(TimesHolder times) {
        try {
            ThreadClock.read(times);
            return true;
        } catch (ClockUnavailableException | UnsupportedOperationException refused) {
            return false;
        }
    }

    /** A task that may throw an exception. */
    interface Task<T, E extends Throwable> {
        T call() throws E;
    }
}
