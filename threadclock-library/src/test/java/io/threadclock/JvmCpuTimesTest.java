// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
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
        JvmCpuTimes earlier = JvmCpuTimes.read();
        long beginNs;
        JvmCpuTimes fresh;
        do {
            beginNs = System.nanoTime();
            fresh = JvmCpuTimes.read();
        } while (fresh == earlier);
        JvmCpuTimes next = JvmCpuTimes.read();
        assumeThat(System.nanoTime() - beginNs).as("ns of two readings").isLessThan(900_000_000);
        assertThat(next).isSameAs(fresh);
    }

    @Test
    void takeTheJdksOwnFigureWhereThereIsOne() {
        assertThat(JvmCpuTimes.times(times(100, 5, 30), 120, null)).isEqualTo(times(120, 5, 10));
    }

    private static ThreadSample sample(int tid, String name) {
        return new ThreadSample(1, tid, name, Thread.State.WAITING, 0, 0, 0);
    }

    @Test
    void leaveOutJavaThreadsByTheirTids() {
        BiPredicate<Integer, String> among = JvmCpuTimes.among(List.of(sample(4711, "Finalizer")));
        assertThat(among.test(4711, "Finalizer")).isTrue();
        assertThat(among.test(4712, "Finalizer")).isFalse();
    }

    @Test
    void leaveOutJavaThreadsByTheirNamesWhereNoTidsAreKnown() {
        BiPredicate<Integer, String> among =
                JvmCpuTimes.among(List.of(sample(0, "Finalizer"), sample(0, "Reference Handler"), sample(0, "GC")));
        assertThat(List.of("Finalizer", "Reference Handl", "Referen..andler")).allMatch(name -> among.test(1, name));
        assertThat(List.of("GC Thread#0", "VM Thread", "Referen..Thread")).noneMatch(name -> among.test(1, name));
    }

    @Test
    void areUnknownWhereNoThreadIsFound() {
        assertThat(JvmCpuTimes.times(times(0, 0, 0), JvmCpuTimes.UNKNOWN, null)).isEqualTo(times(-1, -1, -1));
        assertThat(JvmCpuTimes.times(times(0, 0, 0), 120, null)).isEqualTo(times(120, -1, -1));
    }
}
