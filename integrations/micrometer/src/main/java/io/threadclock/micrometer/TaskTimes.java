// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.ThreadClock;
import io.threadclock.TimesHolder;
import io.threadclock.diagnostics.FailureLog;

/**
 * Measures the tasks of one executor, or the calls of one method, each in the thread that runs it. A task whose thread
 * cannot be read runs all the same, and is counted as unmeasured. Whatever fails here, a task runs, and returns what it
 * returns. Thread-safe.
 */
abstract class TaskTimes {
    /**
     * One holder per thread for all tasks until the next garbage collection, because it is outside the heap and
     * expensive to create.
     */
    private static final WeakThreadLocal<TimesHolder> HOLDERS = new WeakThreadLocal<>(TimesHolder::new);

    final FailureLog failures;

    TaskTimes(FailureLog failures) {
        this.failures = failures;
    }

    /** Counts a task that has cost this much. */
    abstract void measured(long userNs, long systemNs);

    /** Counts a task whose cost nobody knows. */
    abstract void unmeasured();

    final void run(Runnable task) {
        TimesHolder times = begin();
        long beginUserNs = times == null ? 0 : times.userTimeNs();
        long beginSystemNs = times == null ? 0 : times.systemTimeNs();
        try {
            task.run();
        } finally {
            end(times, beginUserNs, beginSystemNs);
        }
    }

    final <T, E extends Throwable> T call(Task<T, E> task) throws E {
        TimesHolder times = begin();
        long beginUserNs = times == null ? 0 : times.userTimeNs();
        long beginSystemNs = times == null ? 0 : times.systemTimeNs();
        try {
            return task.call();
        } finally {
            end(times, beginUserNs, beginSystemNs);
        }
    }

    /** The holder belongs to all tasks of the thread, and one task may run another one inside itself. */
    private TimesHolder begin() {
        try {
            TimesHolder times = ThreadClock.canRead() ? HOLDERS.get() : null;
            return times != null && isRead(times) ? times : null;
        } catch (Throwable noMemory) { // outside the heap, for example
            return null;
        }
    }

    private void end(TimesHolder times, long beginUserNs, long beginSystemNs) {
        try {
            if (times == null || !isRead(times)) {
                unmeasured();
            } else {
                measured(times.userTimeNs() - beginUserNs, times.systemTimeNs() - beginSystemNs);
            }
        } catch (Throwable failed) { // a meter that cannot be registered, no memory, no stack
            failures.report("Counting what a task or a call has cost", failed);
        }
    }

    private static boolean isRead(TimesHolder times) {
        try {
            ThreadClock.read(times);
            return true;
        } catch (Throwable refused) { // by the kernel, or for a virtual thread
            return false;
        }
    }

    /** A task that may throw an exception. */
    interface Task<T, E extends Throwable> {
        T call() throws E;
    }
}
