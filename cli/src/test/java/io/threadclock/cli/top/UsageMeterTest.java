// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import static io.threadclock.cli.threads.MadeUp.MS;
import static io.threadclock.cli.threads.MadeUp.S;
import static io.threadclock.cli.threads.MadeUp.pool;
import static io.threadclock.cli.threads.MadeUp.snapshot;
import static io.threadclock.cli.threads.MadeUp.thread;
import static io.threadclock.cli.threads.MadeUp.waited;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.threads.MadeUp;
import io.threadclock.cli.threads.ProcessSnapshot;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadSnapshot;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class UsageMeterTest {
    private final UsageMeter meter = new UsageMeter();

    private ThreadRate first(Snapshot snapshot) {
        return meter.take(snapshot).threads().get(0);
    }

    @Test
    void usageIsTimeSpentByTimePassedBetweenReadings() {
        assertThat(first(snapshot(S, thread(1, "a", 100 * MS, 50 * MS, S))).rate())
                .isEqualTo(Rate.UNKNOWN);
        UsageSample sample = meter.take(snapshot(2 * S, thread(1, "a", 500 * MS, 350 * MS, 2 * S)));
        assertThat(sample.threads().get(0).rate()).isEqualTo(new Rate(0.3, 0.1));
        assertThat(sample.process()).isEqualTo(new Rate(0.25, 0.25));
        assertThat(sample.ownRatio()).isEqualTo(0.001);
    }

    @Test
    void aThreadThatWasNotReadAgainKeepsItsUsage() {
        meter.take(snapshot(S, thread(1, "a", 0, 0, S)));
        ThreadSnapshot half = thread(1, "a", 500 * MS, 500 * MS, 2 * S);
        assertThat(first(snapshot(2 * S, half)).rate()).isEqualTo(new Rate(0.5, 0));
        assertThat(first(snapshot(3 * S, half)).rate()).isEqualTo(new Rate(0.5, 0));
    }

    @Test
    void whatWasReadOnceIsUnknown() {
        meter.take(snapshot(S, thread(1, "a", 9 * S, 0, S)));
        Snapshot next = snapshot(2 * S, thread(1, "a", 9 * S, 0, S), thread(2, "b", MS, 0, 2 * S));
        ProcessSnapshot process = new ProcessSnapshot(S / 2, S / 4, S);
        UsageSample sample = meter.take(
                new Snapshot(next.takenNs(), next.wall(), process, next.threads(), 2, "rseq", 0, next.virtualPools()));
        assertThat(sample.process()).as("process").isEqualTo(Rate.UNKNOWN);
        assertThat(sample.threads().get(0).rate()).as("thread").isEqualTo(Rate.UNKNOWN);
        assertThat(sample.threads().get(0).rate().plus(new Rate(1, 2)))
                .as("sum of those that are known")
                .isEqualTo(new Rate(1, 2));
        assertThat(Order.CPU
                        .comparator()
                        .compare(
                                Row.of(sample.threads().get(0), null),
                                Row.of(sample.threads().get(1), null)))
                .as("order: unknown is last")
                .isPositive();
    }

    /** Also another one of the tid. */
    @Test
    void aThreadThatHasStartedSinceHasUsedItsTimeAndWaitedSince() {
        meter.take(snapshot(S, thread(1, "a", 900 * MS, 900 * MS, S)));
        ThreadSnapshot heir = new ThreadSnapshot(1, 6, 0, "b", ThreadKind.JAVA, 200 * MS, 200 * MS, 2 * S);
        ThreadRate rate = first(snapshot(2 * S, waited(100 * MS, 4, heir)));
        assertThat(rate.rate()).isEqualTo(new Rate(0.2, 0));
        assertThat(rate.waits()).isEqualTo(new WaitRate(0.1, 4));
    }

    @Test
    void aPoolOfVirtualThreadsHasUsedTheDifferenceOfItsSums() {
        UsageSample first = meter.take(snapshot(S, List.of(pool(0, "rest", S, 0), pool(2, "a", S, 100))));
        assertThat(first.pools()).extracting(PoolRate::rate).containsExactly(Rate.UNKNOWN, Rate.UNKNOWN);
        assertThat(first.pools()).extracting(PoolRate::mountsPerS).containsExactly(0.0, 0.0);
        UsageSample sample = meter.take(
                snapshot(3 * S, List.of(pool(0, "rest", S, 0), pool(2, "a", 2 * S, 400), pool(3, "b", S, 10))));
        assertThat(sample.pools())
                .extracting(PoolRate::rate)
                .containsExactly(new Rate(0, 0), new Rate(0.25, 0.25), new Rate(0.25, 0.25));
        assertThat(sample.pools()).extracting(PoolRate::mountsPerS).containsExactly(0.0, 150.0, 5.0);
    }

    @Test
    void waitingIsRunQueueDelayByTimePassed() {
        meter.take(snapshot(S, waited(100 * MS, 10, thread(1, "a", 100 * MS, 0, S))));
        assertThat(first(snapshot(3 * S, waited(600 * MS, 40, thread(1, "a", 500 * MS, 0, 3 * S))))
                        .waits())
                .isEqualTo(new WaitRate(0.25, 15));
    }

    @Test
    void aWaitThatBeganBeforeTheIntervalTakesAllOfItThatIsNotCpuTime() {
        meter.take(snapshot(S, waited(0, 1, thread(1, "a", 0, 0, S))));
        assertThat(first(snapshot(2 * S, waited(5 * S, 2, thread(1, "a", 200 * MS, 0, 2 * S))))
                        .waits()
                        .waiting())
                .isEqualTo(0.8);
    }

    @Test
    void waitsThatAreNotKnownAreNotZero() {
        UsageSample first = meter.take(snapshot(S, waited(0, 1, thread(1, "a", 0, 0, S)), thread(2, "b", 0, 0, S)));
        assertThat(first.threads()).extracting(ThreadRate::waits).containsExactly(null, null);
        UsageSample second =
                meter.take(snapshot(2 * S, thread(1, "a", 0, 0, 2 * S), waited(0, 1, thread(2, "b", 0, 0, 2 * S))));
        assertThat(second.threads()).extracting(ThreadRate::waits).containsExactly(null, null);
    }

    @Test
    @Timeout(300) // a sampler that has died says nothing
    void aLookThatFailsIsToldAndTheLast() {
        BackgroundSampler.Report report = null;
        try (BackgroundSampler sampler = new BackgroundSampler(
                MadeUp.reader(() -> {
                    throw new IllegalStateException("a fault");
                }),
                Duration.ofNanos(1))) {
            for (; report == null; report = sampler.poll()) {
                Thread.onSpinWait();
            }
        }
        assertThat(report.isOver()).isTrue();
        assertThat(report.notice())
                .isEqualTo("this command has failed at it: java.lang.IllegalStateException: a fault");
    }
}
