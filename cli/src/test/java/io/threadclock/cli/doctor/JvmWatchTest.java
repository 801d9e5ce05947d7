// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.process.KernelFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the kernel are fake: process 7 with two threads, in two groups that have a quota. */
class JvmWatchTest {
    private static final long SECOND_NS = 1_000_000_000;

    @TempDir
    Path root;

    @BeforeEach
    void write() {
        thread(7, "1000 200 3");
        thread(8, "5000 6000 7");
        write("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n");
        write("proc/7/cgroup", "0::/shop/till\n");
        group("shop/till", "100000", 50, 4);
        group("shop", "300000", 1000, 312);
    }

    @Test
    void threadsHaveRunAndWaitedSinceTheBegin() {
        JvmWatch watch = watch();
        thread(7, "1100 230 4");
        thread(9, "10 1 1");
        assertThat(watch.waits(SECOND_NS))
                .returns(110L, JvmWaits::cpuNs)
                .returns(31L, JvmWaits::waitingNs)
                .returns(SECOND_NS, JvmWaits::elapsedNs);
    }

    @Test
    void aWaitThatBeganBeforeIsNoLongerThanTheWatch() {
        JvmWatch watch = watch();
        thread(7, "1100 9000000200 4");
        assertThat(watch.waits(SECOND_NS)).returns(SECOND_NS - 100, JvmWaits::waitingNs);
    }

    @Test
    void aTidThatIsAnotherThreadsByNowCountsFromItsStart() {
        JvmWatch watch = watch();
        thread(8, "50 60 2");
        assertThat(watch.waits(SECOND_NS)).returns(50L, JvmWaits::cpuNs).returns(60L, JvmWaits::waitingNs);
    }

    @Test
    void theGroupThatHasThrottledThemMostSinceIsTold() {
        JvmWatch watch = watch();
        group("shop/till", "100000", 60, 5);
        group("shop", "300000", 1010, 319);
        assertThat(watch.waits(SECOND_NS))
                .returns(
                        "/sys/fs/cgroup/shop: 3.0 CPUs, throttled in 319 of 1010 periods, for -1 ns",
                        waits -> waits.group().toString())
                .returns(10L, JvmWaits::periods)
                .returns(7L, JvmWaits::throttledPeriods);
    }

    @Test
    void ifNoneHasThrottledItIsThatOfTheLeastQuota() {
        assertThat(watch().waits(SECOND_NS).group().directory()).isEqualTo("/sys/fs/cgroup/shop/till");
    }

    @Test
    void withoutQuotaThereIsNoGroup() {
        write("proc/self/mountinfo", "");
        assertThat(watch().waits(SECOND_NS)).returns(null, JvmWaits::group).returns(-1L, JvmWaits::throttledPeriods);
    }

    @Test
    void waitsThatTheKernelDoesNotCountAreNotKnown() {
        thread(7, "0 0 0");
        thread(8, "0 0 0");
        assertThat(watch().waits(SECOND_NS)).isNull();
    }

    private JvmWatch watch() {
        return new JvmWatch(new KernelFiles(root), FakeProc.files(root.resolve("proc/7")));
    }

    private void thread(int tid, String schedstat) {
        write("proc/7/task/" + tid + "/schedstat", schedstat + "\n");
    }

    private void group(String name, String quotaUs, long periods, long throttled) {
        write("sys/fs/cgroup/" + name + "/cpu.max", quotaUs + " 100000\n");
        write(
                "sys/fs/cgroup/" + name + "/cpu.stat",
                "usage_usec 1\nnr_periods " + periods + "\nnr_throttled " + throttled + "\n");
    }

    private void write(String name, String text) {
        FakeProc.write(root.resolve(name), text);
    }
}
