// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;

/** A registry, and questions to it. Skips its tests if there is no clock. */
abstract class MeteredTest {
    static final long WORK_NS = 10_000_000;

    final MeterRegistry registry;

    MeteredTest() {
        this(new SimpleMeterRegistry());
    }

    MeteredTest(MeterRegistry registry) {
        this.registry = registry;
    }

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
    }

    static void assumeTheNativeClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
    }

    final Collection<Meter> meters(String name, String... tags) {
        return registry.find(name).tags(tags).meters();
    }

    /**
     * The sum of the values, or counts, of the meters with this name and these tags, of which there is one at least.
     */
    final double sum(String name, String... tags) {
        return registry.get(name).tags(tags).meters().stream()
                .mapToDouble(meter -> meter.measure().iterator().next().getValue())
                .sum();
    }

    /** The sum of the CPU time of the timers beside those of this name, in ns. */
    final double cpuNs(String name) {
        return registry.get(name + "-cpu").timers().stream()
                .mapToDouble(timer -> timer.totalTime(TimeUnit.NANOSECONDS))
                .sum();
    }

    final Timer timer(String name) {
        return registry.get(name).timer();
    }

    /** Configures timers whose name is this one, or continues it after a dot, as Spring Boot does. */
    final void configureWhatContinues(String name, DistributionStatisticConfig configuration) {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return (id.getName() + ".").startsWith(name + ".") ? configuration.merge(config) : config;
            }
        });
    }

    /** Each of these returns when the work is done. */
    static void inThread(Runnable work) {
        join(started(new Thread(work)));
    }

    static Thread started(Thread thread) {
        thread.start();
        return thread;
    }

    static void assumeVirtualThreads() {
        assumeThat(Runtime.version().feature()).as("Java with virtual threads").isGreaterThanOrEqualTo(21);
    }

    static void inVirtualThread(Runnable work) throws ReflectiveOperationException {
        assumeVirtualThreads();
        join((Thread)
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work));
    }

    static void inMeasuredVirtualThread(Runnable work) {
        assumeThat(VirtualThreads.areMeasurable())
                .as(VirtualThreads.explanation())
                .isTrue();
        join(started(VirtualThreads.factory().newThread(work)));
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(2, TimeUnit.MINUTES)).as("within 2 minutes").isTrue();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }
}
