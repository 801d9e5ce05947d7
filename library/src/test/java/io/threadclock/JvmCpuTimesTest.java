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
    private static final long SECOND_NS = 1_000_000_000;

    private static long nowNs = System.nanoTime();

    private static JvmCpuTimes aSecondLater() {
        nowNs += SECOND_NS;
        return JvmCpuTimes.read(nowNs);
    }

    private static long gcAndVmNs(JvmCpuTimes times) {
        return times.cpuTimeNs(JvmThreadKind.GC) + times.cpuTimeNs(JvmThreadKind.VM);
    }

    private static Map<JvmThreadKind, Long> times(long gcNs, long jitNs, long vmNs) {
        Map<JvmThreadKind, Long> times = new EnumMap<>(JvmThreadKind.class);
        times.put(JvmThreadKind.GC, gcNs);
        times.put(JvmThreadKind.JIT, jitNs);
        times.put(JvmThreadKind.VM, vmNs);
        return times;
    }

    @Test
    void growWhileGarbageIsCollected() {
        long beforeNs = gcAndVmNs(aSecondLater());
        assumeThat(beforeNs).as("ns that the kernel counts").isPositive();
        System.gc();
        assertThat(gcAndVmNs(aSecondLater()))
                .as(
                        "ns of GC and VM after collections by %s",
                        ManagementFactory.getGarbageCollectorMXBeans().stream()
                                .map(GarbageCollectorMXBean::getName)
                                .toList())
                .isGreaterThan(beforeNs);
    }

    @Test
    void areNotReadAgainWithinASecond() {
        JvmCpuTimes fresh = aSecondLater();
        assertThat(JvmCpuTimes.read(nowNs + SECOND_NS - 1)).isSameAs(fresh);
        assertThat(aSecondLater()).isNotSameAs(fresh);
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
