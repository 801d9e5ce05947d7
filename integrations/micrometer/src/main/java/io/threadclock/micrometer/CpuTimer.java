// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The CPU time of what {@code NAME} measures: the timer {@code NAME-cpu}, its parts, and the counter
 * {@code NAME.cpu.unmeasured} of what is not in them, because nobody knows it or they cannot be registered. Timer and
 * parts are made with the first record. Thread-safe.
 */
final class CpuTimer {
    /**
     * The timer's name must not continue the other name after a dot, because Spring Boot applies the settings of a name
     * (histograms, percentiles, SLOs) to each timer whose name does. But it begins with that name, so that limits on
     * the values of a tag, which depend on it, also apply to the timer.
     */
    private static final String TIMER = "-cpu";

    /** Counters have no histogram. */
    private static final String PARTS = ".cpu.time";

    private static final String UNMEASURED = ".cpu.unmeasured";

    /** Micrometer's minimum of 1 ms is more than the cost of many a call. */
    private static final Duration LEAST_EXPECTED = Duration.ofNanos(10_000);

    private final MeterRegistry registry;
    private final String name;
    private final Tags tags;
    private final String what;
    private final Counter unmeasured;
    private volatile Measured measured;

    /** The argument {@code what} is the end of the descriptions: what has the CPU time. */
    CpuTimer(MeterRegistry registry, String name, Tags tags, String what, String unit, String descriptionOfUnmeasured) {
        this.registry = registry;
        this.name = name;
        this.tags = tags;
        this.what = what;
        unmeasured = Counter.builder(name + UNMEASURED)
                .description(descriptionOfUnmeasured)
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }

    /** Two threads may both make the meters; the registry returns the same ones. */
    void record(long userNs, long systemNs) {
        try {
            if (measured == null) {
                measured = new Measured(this);
            }
            measured.record(userNs, systemNs);
        } catch (Throwable failed) {
            recordUnmeasured();
            throw failed;
        }
    }

    void recordUnmeasured() {
        unmeasured.increment();
    }

    private static final class Measured {
        private final Timer timer;
        private final Counter userSeconds;
        private final Counter systemSeconds;

        Measured(CpuTimer of) {
            timer = Timer.builder(of.name + TIMER)
                    .description("CPU time of " + of.what)
                    .minimumExpectedValue(LEAST_EXPECTED)
                    .tags(of.tags)
                    .register(of.registry);
            userSeconds = part(of, "user");
            systemSeconds = part(of, "system");
        }

        private static Counter part(CpuTimer of, String mode) {
            return Counter.builder(of.name + PARTS)
                    .description("CPU time of " + of.what + ", in user or in system mode")
                    .baseUnit("seconds")
                    .tags(of.tags.and(Key.MODE.is(mode)))
                    .register(of.registry);
        }

        void record(long userNs, long systemNs) {
            timer.record(userNs + systemNs, TimeUnit.NANOSECONDS);
            userSeconds.increment(userNs / 1e9);
            systemSeconds.increment(systemNs / 1e9);
        }
    }
}
