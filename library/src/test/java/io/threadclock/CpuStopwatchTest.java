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
        long beforeNs = ThreadClock.cpuTimeNs();
        watch.start();
        assertThat(watch.stop())
                .as("CPU time of nothing, after %d ns of work", WORK_NS)
                .isBetween(0L, ThreadClock.cpuTimeNs() - beforeNs);
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
        long beforeNs = ThreadClock.cpuTimeNs();
        long firstNs = watch.lap();
        long secondNs = watch.lap();
        long aroundNs = ThreadClock.cpuTimeNs() - beforeNs;
        assertThat(firstNs).as("lap with %d ns of work", WORK_NS).isGreaterThanOrEqualTo(WORK_NS);
        assertThat(secondNs).as("lap with none").isBetween(0L, aroundNs);
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

    @Test
    void measuresByTheClockOfATest() {
        CpuTimes[] now = {CpuTimes.of(1_000, 200)};
        CpuStopwatch faked = new CpuStopwatch(() -> now[0]).start();
        now[0] = CpuTimes.of(1_300, 250);
        assertThat(faked.lap()).as("lap").isEqualTo(300);
        now[0] = CpuTimes.of(6_000, 3_200);
        assertThat(faked.lap()).as("next lap").isEqualTo(4_700);
        assertThat(faked.stop()).as("CPU time").isEqualTo(5_000);
        assertThat(faked.userTimeNs()).as("user time").isEqualTo(3_000);
        assertThat(faked.systemTimeNs()).as("system time").isEqualTo(2_000);
    }

    @Test
    void tellsThatAClockCannotReadItsThread() {
        CpuClock blind = new CpuClock() {
            @Override
            public CpuTimes read() {
                throw new UnsupportedOperationException("no times here");
            }

            @Override
            public boolean canRead() {
                return false;
            }
        };
        CpuStopwatch faked = new CpuStopwatch(blind).start();
        assertThat(List.of(faked.lap(), faked.stop(), faked.userTimeNs()))
                .as("ns")
                .containsOnly(-1L);
        assertThat(faked.isMeasured()).as("it has measured").isFalse();
    }

    @Test
    void measuresByTheRealClock() {
        CpuClock clock = CpuClock.ofCallingThread();
        assertThat(clock.canRead()).isEqualTo(ThreadClock.canRead());
        CpuStopwatch real = new CpuStopwatch(clock).start();
        long beforeNs = clock.cpuTimeNs();
        long beforeUserNs = clock.userTimeNs();
        work();
        CpuTimes after = clock.read();
        assertThat(after.cpuTimeNs() - beforeNs).as("CPU time").isGreaterThanOrEqualTo(WORK_NS);
        assertThat(after.userTimeNs()).as("user time").isGreaterThanOrEqualTo(beforeUserNs);
        assertThat(real.stop()).as("by the stopwatch").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void refusesTimesThatNoThreadCanHave() {
        assertThatThrownBy(() -> CpuTimes.of(10, 11)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuTimes.of(10, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(CpuTimes.of(10, 4).systemTimeNs()).isEqualTo(6);
    }
}
