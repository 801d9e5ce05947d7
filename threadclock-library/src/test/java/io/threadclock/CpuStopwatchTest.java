// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CpuStopwatchTest {
    private static final long WORK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final CpuStopwatch watch = new CpuStopwatch();

    @Test
    void tellsNothingBeforeItsFirstMeasurement() {
        assertThat(watch.isRunning()).as("it runs").isFalse();
        assertThat(watch.isMeasured()).as("it has measured").isFalse();
        assertThat(List.of(watch.cpuTimeNs(), watch.userTimeNs(), watch.systemTimeNs()))
                .as("ns")
                .containsOnly(-1L);
    }

    @Test
    void measuresTheWorkOfItsThread() {
        watch.start();
        work();
        assertThat(watch.stop()).as("CPU time of %d ns of work", WORK_NS).isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void addsUserAndSystemTimeUpToCpuTime() {
        watch.start();
        work();
        assertThat(watch.stop()).as("CPU time").isEqualTo(watch.userTimeNs() + watch.systemTimeNs());
        assertThat(watch.isMeasured()).as("it has measured").isTrue();
        assertThat(watch.userTimeNs()).as("user time").isBetween(0L, watch.cpuTimeNs());
    }

    @Test
    void countsNothingOfTheTimeBetweenTwoMeasurements() {
        watch.start();
        watch.stop();
        work();
        watch.start();
        assertThat(watch.stop())
                .as("CPU time of nothing, after %d ns of work", WORK_NS)
                .isLessThan(WORK_NS);
    }

    @Test
    void keepsTheLastMeasurementWhileItRuns() {
        watch.start();
        work();
        long firstNs = watch.stop();
        watch.start();
        assertThat(watch.cpuTimeNs()).as("CPU time").isEqualTo(firstNs);
    }

    @Test
    void beginsEachLapWhereTheLastOneEnded() {
        watch.start();
        work();
        long firstNs = watch.lap();
        long secondNs = watch.lap();
        assertThat(firstNs).as("lap with %d ns of work", WORK_NS).isGreaterThanOrEqualTo(WORK_NS);
        assertThat(secondNs).as("lap with none").isLessThan(WORK_NS);
        assertThat(watch.stop()).as("all laps").isGreaterThanOrEqualTo(firstNs + secondNs);
    }

    @Test
    void countsWhatIsNestedInIt() {
        CpuStopwatch inner = new CpuStopwatch();
        watch.start();
        inner.start();
        work();
        assertThat(inner.stop()).as("the inner one, against the outer one").isBetween(WORK_NS, watch.stop());
    }

    @Test
    @SuppressWarnings("try")
    void isStoppedByTryWithResources() {
        try (CpuStopwatch running = watch.start()) {
            work();
        }
        assertThat(watch.isRunning()).as("it runs").isFalse();
        assertThat(watch.cpuTimeNs()).as("CPU time").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    @SuppressWarnings("try")
    void mayBeStoppedInsideTryWithResources() {
        long stoppedNs;
        try (CpuStopwatch running = watch.start()) {
            stoppedNs = running.stop();
            work();
        }
        assertThat(watch.cpuTimeNs()).as("CPU time").isEqualTo(stoppedNs);
    }

    @Test
    void isNotStartedTwice() {
        watch.start();
        assertThatThrownBy(watch::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it runs");
    }

    @Test
    void isNotStoppedTwice() {
        watch.start();
        watch.stop();
        assertThatThrownBy(watch::stop)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it does not run");
    }

    @Test
    void runsOnWhenAnotherThreadStopsIt() throws InterruptedException, ExecutionException {
        watch.start();
        assertRefused(new FutureTask<>(watch::stop), "Stopping");
        assertRefused(new FutureTask<>(watch::lap), "Taking a lap of");
        assertRefused(new FutureTask<>(watch::close, null), "Stopping");
        assertRefused(new FutureTask<>(watch::start), "Starting");
        assertThat(watch.isRunning()).as("it runs").isTrue();
        assertThat(watch.stop()).as("CPU time").isPositive();
    }

    /** Runs the action in a thread named {@code stranger}; the message must name both threads. */
    private static void assertRefused(FutureTask<?> task, String action) throws InterruptedException {
        Thread stranger = new Thread(task, "stranger");
        stranger.start();
        stranger.join();
        assertThatThrownBy(task::get)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining(action)
                .hasMessageContaining("\"stranger\"")
                .hasMessageContaining("\"" + Thread.currentThread().getName() + "\" has started it");
    }

    /** Uses some CPU time. */
    private static void work() {
        long endNs = ThreadClock.cpuTimeNs() + WORK_NS;
        while (ThreadClock.cpuTimeNs() < endNs) {
            Thread.onSpinWait();
        }
    }
}
