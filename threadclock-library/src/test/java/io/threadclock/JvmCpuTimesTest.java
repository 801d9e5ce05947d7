// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JvmCpuTimesTest {
    private static Map<JvmThreadKind, Long> times(long gcNs, long jitNs, long vmNs) {
        Map<JvmThreadKind, Long> times = new EnumMap<>(JvmThreadKind.class);
        times.put(JvmThreadKind.GC, gcNs);
        times.put(JvmThreadKind.JIT, jitNs);
        times.put(JvmThreadKind.VM, vmNs);
        return times;
    }

    @Test
    void growWhileGarbageIsCollected() {
        long beforeNs = JvmCpuTimes.read().cpuTimeNs(JvmThreadKind.GC)
                + JvmCpuTimes.read().cpuTimeNs(JvmThreadKind.VM);
        assumeThat(beforeNs).as("ns that the kernel counts").isPositive();
        long nowNs = beforeNs;
        for (long endNs = System.nanoTime() + 60_000_000_000L; nowNs == beforeNs && System.nanoTime() < endNs; ) {
            System.gc();
            JvmCpuTimes now = JvmCpuTimes.read();
            nowNs = now.cpuTimeNs(JvmThreadKind.GC) + now.cpuTimeNs(JvmThreadKind.VM);
        }
        assertThat(nowNs)
                .as(
                        "ns of GC and VM after collections by %s",
                        ManagementFactory.getGarbageCollectorMXBeans().stream()
                                .map(GarbageCollectorMXBean::getName)
                                .toList())
                .isGreaterThan(beforeNs);
    }

    @Test
    void areNotReadAgainWithinASecond() {
        JvmCpuTimes first = JvmCpuTimes.read();
        long beginNs = System.nanoTime();
        JvmCpuTimes second = JvmCpuTimes.read();
        JvmCpuTimes third = JvmCpuTimes.read();
        assumeThat(System.nanoTime() - beginNs).as("ns of two readings").isLessThan(900_000_000);
        assertThat(third).isSameAs(second);
        assertThat(first).isNotNull();
    }

    @Test
    void takeTheJdksOwnFigureWhereThereIsOne() {
        assertThat(JvmCpuTimes.times(times(100, 5, 30), 120, null)).isEqualTo(times(120, 5, 10));
    }

    @Test
    void areUnknownWhereNoThreadIsFound() {
        assertThat(JvmCpuTimes.times(times(0, 0, 0), JvmCpuTimes.UNKNOWN, null)).isEqualTo(times(-1, -1, -1));
        assertThat(JvmCpuTimes.times(times(0, 0, 0), 120, null)).isEqualTo(times(120, -1, -1));
    }
}
