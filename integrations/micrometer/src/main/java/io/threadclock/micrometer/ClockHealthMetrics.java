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
import java.util.Locale;

/**
 * The health of the clock itself: {@code threadclock.resyncs} by cause, {@code threadclock.demotions},
 * {@code threadclock.source} and others that docs/metrics.md lists, each read when a registry asks.
 *
 * <p>If the clock is not supported, only {@code threadclock.supported} is bound, with the value 0. Thread-safe.
 *
 * @since 0.1
 */
public final class ClockHealthMetrics extends GuardedBinder {
    private final Tags tags;
    private final ClockLedger ledger = new ClockLedger();

    /** Adds no tags. */
    public ClockHealthMetrics() {
        this(Tags.empty());
    }

    /**
     * Creates the meters with further tags.
     *
     * @param tags in addition to the meters' own
     */
    public ClockHealthMetrics(Iterable<Tag> tags) {
        this.tags = Tags.of(tags);
    }

    @Override
    void bind(MeterRegistry registry) {
        ThreadClockMeter.SUPPORTED.level(registry, tags, () -> ThreadClock.isSupported() ? 1 : 0);
        if (!ThreadClock.isSupported()) {
            return;
        }
        bindSources(registry);
        bindResyncs(registry);
        bindSuspected(registry);
    }

    private ClockLedger counts() {
        ledger.add(ThreadClock.stats());
        return ledger;
    }

    private void bindSources(MeterRegistry registry) {
        for (ClockSource source : ClockSource.values()) {
            ThreadClockMeter.SOURCE.level(
                    registry,
                    tags.and(Key.SOURCE.is(inSmallLetters(source))),
                    () -> ThreadClock.source() == source ? 1 : 0);
        }
    }

    private void bindResyncs(MeterRegistry registry) {
        for (ResyncCause cause : ResyncCause.values()) {
            ThreadClockMeter.RESYNCS.count(
                    registry, tags.and(Key.CAUSE.is(inSmallLetters(cause))), () -> counts().resyncs(cause));
        }
        ThreadClockMeter.RESYNCS_LOST.count(registry, tags, () -> counts().lost());
        ThreadClockMeter.DEMOTIONS.count(registry, tags, () -> counts().demotions());
    }

    private void bindSuspected(MeterRegistry registry) {
        ThreadClockMeter.SUSPECTED.level(registry, tags.and(Key.SAMPLED.is("yes")), () -> {
            ClockStats stats = ThreadClock.stats();
            return stats.threadsSuspected() - stats.threadsUnsampled();
        });
        Tags unsampled = tags.and(Key.SAMPLED.is("no"));
        ThreadClockMeter.SUSPECTED.level(
                registry, unsampled, () -> ThreadClock.stats().threadsUnsampled());
    }

    private static String inSmallLetters(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
