// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.threadclock.diagnostics.FailureLog;

/** The cost of the calls of one method. Thread-safe. */
final class MethodTimes extends TaskTimes {
    private final CpuTimer timer;

    MethodTimes(MeterRegistry registry, String name, Tags tags, FailureLog failures) {
        super(failures);
        timer = new CpuTimer(
                registry, name, tags, "the method's calls", "calls", "calls in threads whose CPU time cannot be read");
    }

    @Override
    void measured(long userNs, long systemNs) {
        timer.record(userNs, systemNs);
    }

    @Override
    void unmeasured() {
        timer.recordUnmeasured();
    }
}
