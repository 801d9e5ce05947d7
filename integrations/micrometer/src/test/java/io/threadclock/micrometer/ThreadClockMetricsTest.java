// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.threadclock.CpuQuota;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.diagnostics.ResyncCause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The meters of the process, of its control group, whose files are fake, and of the clock itself. */
class ThreadClockMetricsTest extends MeteredTest {
    private static final String NONE = "max 100000";
    private static final String QUOTA = "150000 100000";

    private String quota = QUOTA;

    @TempDir
    Path root;

    /** The quota of a process where files below this root say so. */
    static CpuQuota quota(Path root, String quota, int periods) {
        write(root.resolve("proc/self/mountinfo"), "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        write(root.resolve("sys/fs/cgroup/cpu.max"), quota + "\n");
        write(
                root.resolve("sys/fs/cgroup/cpu.stat"),
                "usage_usec 9\nnr_periods " + periods + "\nnr_throttled 3\nthrottled_usec 2500000\n");
        return CpuQuota.of(root, "0::/\n");
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private CpuQuotaMetrics bindQuota(String first) {
        quota = first;
        CpuQuotaMetrics metrics = new CpuQuotaMetrics(Tags.empty(), () -> quota(root, quota, 20));
        metrics.bindTo(registry);
        return metrics;
    }

    private double cpus() {
        return sum("threadclock.cgroup.quota");
    }

    @Test
    void aQuotaHasMetersWhoseCountsStayWhenItIsLifted() {
        bindQuota(QUOTA);
        assertThat(cpus()).isEqualTo(1.5);
        assertThat(sum("threadclock.cgroup.periods")).isEqualTo(20);
        assertThat(sum("threadclock.cgroup.throttled.periods")).isEqualTo(3);
        assertThat(sum("threadclock.cgroup.throttled.time")).isEqualTo(2.5);
        quota = NONE;
        assertThat(cpus()).isInfinite();
        assertThat(sum("threadclock.cgroup.throttled.periods")).isEqualTo(3);
    }

    @Test
    void withoutQuotaThereAreNoneUntilOneIsSetLater() {
        CpuQuotaMetrics metrics = bindQuota(NONE);
        assertThat(registry.getMeters()).isEmpty();
        metrics.look();
        assertThat(registry.getMeters()).isEmpty();
        quota = QUOTA;
        metrics.look();
        assertThat(cpus()).isEqualTo(1.5);
        quota = NONE;
        metrics.look();
        assertThat(cpus()).isInfinite();
    }

    private double processNs() {
        return 1e9 * sum("threadclock.process.cpu.time");
    }

    @Test
    void theProcessHasWhatTheClockReadsOfIt() {
        assumeTheNativeClockIsHere();
        new ProcessCpuMetrics().bindTo(registry);
        CpuTimes before = ThreadClock.readProcess();
        assertThat(Math.round(processNs()))
                .as("user + system, ns")
                .isBetween(before.cpuTimeNs(), ThreadClock.readProcess().cpuTimeNs());
    }

    /** The JDK counts in steps of 10 ms. */
    @Test
    @Tag("timing")
    void theProcessHasWhatTheJdkTells() {
        assumeTheNativeClockIsHere();
        new ProcessCpuMetrics().bindTo(registry);
        double beforeNs = jdkNs();
        assertThat(processNs()).as("user + system, ns").isBetween(beforeNs - 1e8, jdkNs() + 1e8);
    }

    private static double jdkNs() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }

    @Test
    void theClockTellsItsSource() {
        assumeTheNativeClockIsHere();
        new ClockHealthMetrics().bindTo(registry);
        assertThat(sum("threadclock.supported")).isEqualTo(1);
        assertThat(meters("threadclock.source")).hasSize(7);
        assertThat(sum(
                        "threadclock.source",
                        "source",
                        ThreadClock.source().name().toLowerCase(Locale.ROOT)))
                .isEqualTo(1);
        assertThat(sum("threadclock.source")).as("sources in use").isEqualTo(1);
    }

    @Test
    void theClockCountsItsResyncs() {
        assumeTheNativeClockIsHere();
        new ClockHealthMetrics().bindTo(registry);
        double firstBefore = sum("threadclock.resyncs", "cause", "first");
        inThread(ThreadClock::cpuTimeNs);
        assertThat(sum("threadclock.resyncs", "cause", "first") - firstBefore)
                .as("first readings")
                .isGreaterThanOrEqualTo(1);
        assertThat(sum("threadclock.suspected", "sampled", "yes") + sum("threadclock.suspected", "sampled", "no"))
                .as("threads that sleep too often for ticks")
                .isNotNegative();
    }

    @Test
    void theClocksCountsNeverFall() {
        ClockLedger ledger = new ClockLedger();
        ledger.add(asked -> asked == ResyncCause.SWITCH ? 10 : 0, 3, 1);
        ledger.add(asked -> asked == ResyncCause.SWITCH ? 7 : 0, 2, 0);
        assertCounts(ledger, 10, 3, 1);
        ledger.add(asked -> asked == ResyncCause.SWITCH ? 12 : 0, 4, 2);
        assertCounts(ledger, 12, 4, 2);
    }

    private static void assertCounts(ClockLedger ledger, long switches, long lost, long demotions) {
        assertThat(ledger.resyncs(ResyncCause.SWITCH)).isEqualTo(switches);
        assertThat(ledger.lost()).isEqualTo(lost);
        assertThat(ledger.demotions()).isEqualTo(demotions);
    }
}
