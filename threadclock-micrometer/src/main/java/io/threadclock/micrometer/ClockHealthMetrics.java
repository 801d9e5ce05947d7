// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.threadclock.ClockSource;
import io.threadclock.ThreadClock;
import io.threadclock.diagnostics.ClockStats;
import io.threadclock.diagnostics.ResyncCause;
import io.threadclock.micrometer.ThreadClockMeter.Key;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The health of the clock itself: {@code threadclock.read.latency}, {@code threadclock.resyncs} by cause, {@code
 * threadclock.system.calls}, {@code threadclock.measuring.cpu.time}, {@code threadclock.demotions}, {@code
 * threadclock.source} and others that docs/metrics.md lists.
 *
 * <p>A daemon thread, {@code threadclock-health}, measures the latency of a reading each 10 s unless told otherwise:
 * some 2,000 readings, and 9 sleeps of 1 ns. This is the latency in that thread; that of other threads may differ if
 * their source does. Everything else is read when a registry asks.
 *
 * <p>If the clock is not supported, only {@code threadclock.supported} is bound, with the value 0. Thread-safe.
 *
 * @since 0.1
 */
public final class ClockHealthMetrics extends GuardedBinder implements AutoCloseable {
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);
    private static final Set<ClockSource> EXTRAPOLATING =
            EnumSet.of(ClockSource.RSEQ, ClockSource.PERF, ClockSource.IDS);

    private final Tags tags;
    private final LatencyProbe probe = new LatencyProbe();
    private final ClockLedger ledger = new ClockLedger(this::resyncNs);
    private final Metronome metronome;
    private volatile long probedNs;

    /** Measures the latency each 10 s, and adds no tags. */
    public ClockHealthMetrics() {
        this(Tags.empty(), DEFAULT_INTERVAL);
    }

    /**
     * Creates the meters with further tags, and with an interval for the latency.
     *
     * @param tags in addition to the meters' own
     * @param interval between measurements of the latency
     */
    public ClockHealthMetrics(Iterable<Tag> tags, Duration interval) {
        this.tags = Tags.of(tags);
        this.metronome = new Metronome("threadclock-health", true, interval, this::measure);
    }

    @Override
    void bind(MeterRegistry registry) {
        ThreadClockMeter.SUPPORTED
                .gauge(() -> ThreadClock.isSupported() ? 1 : 0)
                .tags(tags)
                .register(registry);
        if (!ThreadClock.isSupported()) {
            return;
        }
        metronome.start();
        bindSources(registry);
        bindLatency(registry);
        bindResyncs(registry);
        bindCost(registry);
    }

    /** Ends the measurements of the latency, which keeps its last value. Everything else goes on. */
    @Override
    public void close() {
        metronome.close();
    }

    private void measure() {
        long beginNs = ThreadClock.cpuTimeNs();
        probe.measure();
        counts();
        probedNs = probedNs + (ThreadClock.cpuTimeNs() - beginNs);
    }

    /** If the source does not extrapolate, each reading asks the kernel, and most of them right after another one. */
    private double resyncNs(ResyncCause cause) {
        boolean isEachReading = cause == ResyncCause.UNARMED && !EXTRAPOLATING.contains(ThreadClock.source());
        return isEachReading ? probe.afterReadNs() : probe.afterSwitchNs();
    }

    private ClockLedger counts() {
        ledger.add(ThreadClock.stats());
        return ledger;
    }

    private void bindSources(MeterRegistry registry) {
        for (ClockSource source : ClockSource.values()) {
            ThreadClockMeter.SOURCE
                    .gauge(() -> ThreadClock.source() == source ? 1 : 0)
                    .tags(tags.and(Key.SOURCE.is(inSmallLetters(source))))
                    .register(registry);
        }
    }

    private void bindLatency(MeterRegistry registry) {
        ThreadClockMeter.READ_LATENCY
                .timeGauge(probe::afterReadNs)
                .tags(tags.and(Key.AFTER.is("read")))
                .register(registry);
        ThreadClockMeter.READ_LATENCY
                .timeGauge(probe::afterSwitchNs)
                .tags(tags.and(Key.AFTER.is("switch")))
                .register(registry);
    }

    private void bindResyncs(MeterRegistry registry) {
        for (ResyncCause cause : ResyncCause.values()) {
            ThreadClockMeter.RESYNCS
                    .counter(() -> counts().resyncs(cause))
                    .tags(tags.and(Key.CAUSE.is(inSmallLetters(cause))))
                    .register(registry);
        }
        ThreadClockMeter.RESYNCS_LOST.counter(() -> counts().lost()).tags(tags).register(registry);
        ThreadClockMeter.SYSTEM_CALLS
                .counter(() -> counts().systemCalls())
                .tags(tags)
                .register(registry);
        ThreadClockMeter.DEMOTIONS
                .counter(() -> counts().demotions())
                .tags(tags)
                .register(registry);
        ThreadClockMeter.READERS.gauge(() -> counts().readers()).tags(tags).register(registry);
        bindSuspected(registry);
    }

    private void bindSuspected(MeterRegistry registry) {
        ThreadClockMeter.SUSPECTED
                .gauge(() -> {
                    ClockStats stats = ThreadClock.stats();
                    return stats.threadsSuspected() - stats.threadsUnsampled();
                })
                .tags(tags.and(Key.SAMPLED.is("yes")))
                .register(registry);
        ThreadClockMeter.SUSPECTED
                .gauge(() -> ThreadClock.stats().threadsUnsampled())
                .tags(tags.and(Key.SAMPLED.is("no")))
                .register(registry);
    }

    private void bindCost(MeterRegistry registry) {
        ThreadClockMeter.MEASURING_CPU_TIME
                .timeCounter(() -> counts().resyncsNs())
                .tags(tags.and(Key.WORK.is("resyncs")))
                .register(registry);
        ThreadClockMeter.MEASURING_CPU_TIME
                .timeCounter(() -> probedNs)
                .tags(tags.and(Key.WORK.is("probes")))
                .register(registry);
    }

    private static String inSmallLetters(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
