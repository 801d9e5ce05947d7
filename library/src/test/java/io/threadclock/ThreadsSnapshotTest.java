// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ThreadsSnapshotTest {
    private static final ThreadSample AFTERWARDS = new ThreadSample(7, 0, "worker", Thread.State.RUNNABLE, 900, 600, 0);

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
    }

    @Test
    void cannotBeSubtractedFromWhatWasTakenBefore() {
        ThreadsSnapshot earlier = ThreadsSnapshot.take();
        ThreadsSnapshot later = ThreadsSnapshot.take();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> earlier.diff(later))
                .withMessageContaining("Call diff() on the later one");
    }

    @Test
    void subtractedFromThemselvesAreNothing() {
        ThreadsSnapshot times = ThreadsSnapshot.take();
        IntervalUsage nothing = times.diff(times);
        assertThat(nothing.wallTimeNs()).isZero();
        assertThat(nothing.cpuTimeNs()).isZero();
        assertThat(nothing.threads()).hasSameSizeAs(times.threads()).allMatch(usage -> usage.usageRatio() == 0);
    }

    @Test
    void cannotBeChanged() {
        ThreadsSnapshot times = ThreadsSnapshot.take();
        assertThatThrownBy(() -> times.threads().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void haveNoLessThanNoVirtualThreads() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ThreadsSnapshot.take(-1))
                .withMessageContaining("at most; 0 is none");
        assertThat(ThreadsSnapshot.take(0).virtualThreads()).isEmpty();
        assertThat(ThreadsSnapshot.take().virtualThreads()).isEmpty();
    }

    @Test
    void findThreadsById() {
        ThreadsSnapshot times = ThreadsSnapshot.take();
        assertThat(times.thread(Thread.currentThread().getId()))
                .map(ThreadSample::name)
                .contains(Thread.currentThread().getName());
        assertThat(times.thread(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void yieldUsageThatIsCpuTimeByWallTime() {
        ThreadUsage usage = new ThreadUsage(AFTERWARDS, 500, 400, 1000);
        assertThat(usage.usageRatio()).isCloseTo(0.5, within(1e-9));
        assertThat(usage.systemTimeNs()).isEqualTo(100);
    }

    @Test
    void describeAThread() {
        assertThat(AFTERWARDS).hasToString("thread 7 \"worker\" RUNNABLE: CPU 900 ns = user 600 ns + system 300 ns");
        assertThat(new ThreadUsage(AFTERWARDS, 500, 400, 1000))
                .hasToString("thread 7 \"worker\" RUNNABLE: CPU 500 ns = user 400 ns + system 100 ns");
    }
}
