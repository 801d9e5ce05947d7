// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.CpuQuota;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the kernel are fake. */
class CpuQuotaMetricsTest {
    private static final String NONE = "max 100000";

    private final MeterRegistry registry = new SimpleMeterRegistry();

    private String quota = "150000 100000";

    @TempDir
    Path root;

    /** The quota of a process where files below this root say so. */
    static CpuQuota of(Path root, String quota) {
        return of(root, quota, 20);
    }

    /** As {@link #of(Path, String)}, after so many periods. */
    static CpuQuota of(Path root, String quota, int periods) {
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
            Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private CpuQuotaMetrics bind() {
        CpuQuotaMetrics metrics = new CpuQuotaMetrics(Tags.empty(), () -> of(root, quota));
        metrics.bindTo(registry);
        return metrics;
    }

    private double count(String name) {
        return registry.get("threadclock.cgroup." + name).functionCounter().count();
    }

    private double cpus() {
        return registry.get("threadclock.cgroup.quota").gauge().value();
    }

    @Test
    void aQuotaHasMeters() {
        bind();
        assertThat(cpus()).isEqualTo(1.5);
        assertThat(count("periods")).isEqualTo(20);
        assertThat(count("throttled.periods")).isEqualTo(3);
        assertThat(count("throttled.time")).isEqualTo(2.5);
    }

    @Test
    void countsStayWhenItIsLifted() {
        bind();
        quota = NONE;
        assertThat(cpus()).isInfinite();
        assertThat(count("throttled.periods")).isEqualTo(3);
    }

    @Test
    void withoutQuotaThereAreNone() {
        quota = NONE;
        bind();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void aQuotaThatIsSetLaterIsFound() {
        quota = NONE;
        CpuQuotaMetrics metrics = bind();
        metrics.look();
        assertThat(registry.getMeters()).isEmpty();
        quota = "150000 100000";
        metrics.look();
        assertThat(cpus()).isEqualTo(1.5);
        quota = NONE;
        metrics.look();
        assertThat(cpus()).isInfinite();
    }
}
