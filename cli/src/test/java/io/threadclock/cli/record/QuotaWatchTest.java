// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.CpuQuota;
import io.threadclock.cli.process.FakeProc;
import io.threadclock.recorder.Throttling;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the kernel are fake: a group with a quota of half a CPU, below one with 2 CPUs. */
class QuotaWatchTest {
    private static final long S = 1_000_000;
    private static final long BEGIN_US = 1_700_000_000 * S;

    @TempDir
    Path root;

    private QuotaWatch watch;

    @BeforeEach
    void limit() {
        FakeProc.write(root.resolve("proc/self/mountinfo"), "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        FakeProc.write(root.resolve("sys/fs/cgroup/shop/cpu.max"), "200000 100000\n");
        FakeProc.write(root.resolve("sys/fs/cgroup/shop/till/cpu.max"), "50000 100000\n");
        count("shop", 1000, 500, 0);
        count("shop/till", 100, 50, 4000);
        watch = new QuotaWatch(KeptSamples.JVM, () -> CpuQuota.of(root, "0::/shop/till\n"));
        assertThat(watch.look(BEGIN_US)).as("what was before").isEmpty();
    }

    private void count(String group, long periods, long throttled, long us) {
        FakeProc.write(
                root.resolve("sys/fs/cgroup/" + group + "/cpu.stat"),
                "nr_periods " + periods + "\nnr_throttled " + throttled + "\nthrottled_usec " + us + "\n");
    }

    @Test
    void aTimeInWhichAGroupIsThrottledIsTold() {
        count("shop", 1010, 501, 0);
        count("shop/till", 110, 54, 4250);
        assertThat(watch.look(BEGIN_US + S))
                .hasValue(new Throttling(KeptSamples.JVM, BEGIN_US, BEGIN_US + S, 500, 10, 4, 250_000));
        assertThat(watch.look(BEGIN_US + 2 * S)).as("nothing new").isEmpty();
    }
}
