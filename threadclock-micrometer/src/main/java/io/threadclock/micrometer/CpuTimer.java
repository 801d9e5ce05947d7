// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The CPU time of what {@code NAME} measures: the timer {@code NAME-cpu}, and its parts. Thread-safe. */
final class CpuTimer {
    /**
     * The timer's name must not continue the other name after a dot, because Spring Boot applies the settings of a
     * name (histograms, percentiles, SLOs) to each timer whose name does. But it begins with that name, so
     * that limits on the values of a tag, which depend on it, also apply to the timer.
     */
    private static final String TIMER = "-cpu";

    /** Counters have no histogram. */
    private static final String PARTS = ".cpu.time";

    /** Micrometer's minimum of 1 ms is more than the cost of many a call. */
    private static final Duration LEAST_EXPECTED = Duration.ofNanos(10_000);

    private final Timer timer;
    private final Counter userSeconds;
    private final Counter systemSeconds;

    /** The last argument is the end of the descriptions: what has the CPU time. */
    CpuTimer(MeterRegistry registry, String name, Tags tags, String what) {
        timer = Timer.builder(name + TIMER)
                .description("CPU time of " + what)
                .minimumExpectedValue(LEAST_EXPECTED)
                .tags(tags)
                .register(registry);
        String description = "CPU time of " + what + ", in user or in system mode";
        userSeconds =
                part(name, description).tags(tags.and(Key.MODE.is("user"))).register(registry);
        systemSeconds =
                part(name, description).tags(tags.and(Key.MODE.is("system"))).register(registry);
    }

    private static Counter.Builder part(String name, String description) {
        return Counter.builder(name + PARTS).description(description).baseUnit("seconds");
    }

    void record(long userNs, long systemNs) {
        timer.record(userNs + systemNs, TimeUnit.NANOSECONDS);
        userSeconds.increment(userNs / 1e9);
        systemSeconds.increment(systemNs / 1e9);
    }
}
