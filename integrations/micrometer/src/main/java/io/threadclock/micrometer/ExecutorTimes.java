// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.threadclock.diagnostics.FailureLog;
import java.util.concurrent.atomic.LongAdder;

/** The cost of the tasks of one executor so far. Thread-safe. */
final class ExecutorTimes extends TaskTimes {
    /** The prefix of Micrometer's own meters of executors. */
    static final String EXECUTOR = "executor";

    private final LongAdder userNs = new LongAdder();
    private final LongAdder systemNs = new LongAdder();
    private final LongAdder tasks = new LongAdder();
    private final LongAdder unmeasured = new LongAdder();

    /** Whether there are meters for measured tasks. */
    private volatile boolean isBound;

    ExecutorTimes() {
        super(new FailureLog("The executor runs its tasks, which are missing in the meters of CPU time."));
    }

    /** Binds the meters, with that name in place of {@link #EXECUTOR}. */
    void bindTo(MeterRegistry registry, String name, Tags tags) {
        try {
            bind(registry, name, tags);
            isBound = true;
        } catch (Throwable failed) { // a listener of the registry's, a name that is taken
            failures.report("Registering the meters of executor " + tags, failed);
        }
    }

    private void bind(MeterRegistry registry, String name, Tags tags) {
        ThreadClockMeter.EXECUTOR_CPU_UNMEASURED.count(name + ".cpu.unmeasured", registry, tags, unmeasured::sum);
        ThreadClockMeter.EXECUTOR_CPU_TIME.times(name + ".cpu.time", registry, tags, userNs::sum, systemNs::sum);
        ThreadClockMeter.EXECUTOR_CPU_TASKS.count(name + ".cpu.tasks", registry, tags, tasks::sum);
    }

    @Override
    void measured(long taskUserNs, long taskSystemNs) {
        if (!isBound) {
            unmeasured();
            return;
        }
        userNs.add(taskUserNs);
        systemNs.add(taskSystemNs);
        tasks.increment();
    }

    @Override
    void unmeasured() {
        unmeasured.increment();
    }
}
