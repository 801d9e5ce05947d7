// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/** The cost of the calls of one method. Thread-safe. */
final class MethodTimes extends TaskTimes {
    private final CpuTimer timer;
    private final Counter unmeasured;

    MethodTimes(MeterRegistry registry, String name, Tags tags) {
        timer = new CpuTimer(registry, name, tags, "the method's calls");
        unmeasured = Counter.builder(name + ".cpu.unmeasured")
                .description("calls in threads whose CPU time cannot be read")
                .baseUnit("calls")
                .tags(tags)
                .register(registry);
    }

    @Override
    void measured(long userNs, long systemNs) {
        timer.record(userNs, systemNs);
    }

    @Override
    void unmeasured() {
        unmeasured.increment();
    }
}
