// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CpuStopwatchTest {
    private final CpuStopwatch watch = new CpuStopwatch();

    private static void between(String what, long ns, long leastNs, long mostNs) {
        assertThat(ns).as(what).isBetween(leastNs, mostNs);
    }

    private static void atLeast(String what, long ns, long leastNs) {
        between(what, ns, leastNs, Long.MAX_VALUE);
    }

    @Test
    void tellsNothingBeforeItsFirstMeasurement() {
        assertThat(watch.isRunning()).as("it runs").isFalse();
        assertThat(watch.isMeasured()).as("it has measured").isFalse();
        assertTellsNothing(watch);
    }

    private static void assertTellsNothing(CpuStopwatch watch) {
        assertThat(List.of(watch.cpuTimeNs(), watch.userTimeNs(), watch.systemTimeNs()))
                .as("ns")
                .containsOnly(-1L);
    }

    @Test
    void measuresTheWorkOfItsThreadWhoseUserAndSystemTimeAddUp() {
        watch.start();
        Work.use();
        long cpuNs = watch.stop();
        atLeast("CPU time of the work", cpuNs, Work.NS);
        assertThat(watch.userTimeNs() + watch.systemTimeNs())
                .as("user + system")
                .isEqualTo(cpuNs);
        assertThat(watch.isMeasured()).as("it has measured").isTrue();
        between("user time", watch.userTimeNs(), 0, watch.cpuTimeNs());
    }

    @Test
    void countsNothingOfTheTimeBetweenTwoMeasurements() {
        watch.start();
        watch.stop();
        Work.use();
        long beforeNs = ThreadClock.cpuTimeNs();
        watch.start();
        between("CPU time of nothing, after work", watch.stop(), 0, ThreadClock.cpuTimeNs() - beforeNs);
    }

    @Test
    void keepsTheLastMeasurementWhileItRuns() {
        watch.start();
        Work.use();
        long firstNs = watch.stop();
        watch.start();
        assertThat(watch.cpuTimeNs()).as("CPU time").isEqualTo(firstNs);
    }

    @Test
    void beginsEachLapWhereTheLastOneEnded() {
        watch.start();
        Work.use();
        long beforeNs = ThreadClock.cpuTimeNs();
        long firstNs = watch.lap();
        long secondNs = watch.lap();
        atLeast("lap with work", firstNs, Work.NS);
        between("lap with none", secondNs, 0, ThreadClock.cpuTimeNs() - beforeNs);
        atLeast("all laps", watch.stop(), firstNs + secondNs);
    }

    @Test
    void countsWhatIsNestedInIt() {
        CpuStopwatch inner = new CpuStopwatch();
        watch.start();
        inner.start();
        Work.use();
        between("the inner one, against the outer one", inner.stop(), Work.NS, watch.stop());
    }

    @Test
    @SuppressWarnings("try")
    void isStoppedByTryWithResources() {
        try (CpuStopwatch running = watch.start()) {
            Work.use();
        }
        assertThat(watch.isRunning()).as("it runs").isFalse();
        atLeast("CPU time", watch.cpuTimeNs(), Work.NS);
    }

    @Test
    @SuppressWarnings("try")
    void mayBeStoppedInsideTryWithResources() {
        long stoppedNs;
        try (CpuStopwatch running = watch.start()) {
            stoppedNs = running.stop();
            Work.use();
        }
        assertThat(watch.cpuTimeNs()).as("CPU time").isEqualTo(stoppedNs);
    }

    @Test
    void isNeitherStartedNorStoppedTwice() {
        watch.start();
        assertRefused(watch::start, "it runs");
        watch.stop();
        assertRefused(watch::stop, "it does not run");
    }

    private static void assertRefused(ThrowingCallable action, String why) {
        assertThatThrownBy(action).isInstanceOf(IllegalStateException.class).hasMessageContaining(why);
    }

    @Test
    void runsOnWhenAnotherThreadStopsIt() throws InterruptedException {
        watch.start();
        assertRefusesStranger(watch::stop, "Stopping");
        assertRefusesStranger(watch::lap, "Taking a lap of");
        assertRefusesStranger(watch::close, "Stopping");
        assertRefusesStranger(watch::start, "Starting");
        assertThat(watch.isRunning()).as("it runs").isTrue();
        assertThat(watch.stop()).as("CPU time").isPositive();
    }

    /** Runs the action in a thread named {@code stranger}; the message must name both threads. */
    private static void assertRefusesStranger(Runnable action, String what) throws InterruptedException {
        FutureTask<Void> task = new FutureTask<>(action, null);
        Thread stranger = new Thread(task, "stranger");
        stranger.start();
        stranger.join();
        assertThatThrownBy(task::get)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining(what)
                .hasMessageContaining("\"stranger\"")
                .hasMessageContaining("\"" + Thread.currentThread().getName() + "\" has started it");
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
        assertThat(List.of(faked.lap(), faked.stop())).as("ns").containsOnly(-1L);
        assertTellsNothing(faked);
        assertThat(faked.isMeasured()).as("it has measured").isFalse();
    }

    @Test
    void measuresByTheRealClock() {
        CpuClock clock = CpuClock.ofCallingThread();
        assertThat(clock.canRead()).isEqualTo(ThreadClock.canRead());
        CpuStopwatch real = new CpuStopwatch(clock).start();
        long beforeNs = clock.cpuTimeNs();
        long beforeUserNs = clock.userTimeNs();
        Work.use();
        CpuTimes after = clock.read();
        atLeast("CPU time", after.cpuTimeNs() - beforeNs, Work.NS);
        atLeast("user time", after.userTimeNs(), beforeUserNs);
        atLeast("by the stopwatch", real.stop(), Work.NS);
    }

    @Test
    void refusesTimesThatNoThreadCanHave() {
        assertThatThrownBy(() -> CpuTimes.of(10, 11)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuTimes.of(10, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(CpuTimes.of(10, 4).systemTimeNs()).isEqualTo(6);
    }
}
