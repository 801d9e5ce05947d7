// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.threadclock.VirtualPoolTimes;
import io.threadclock.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The pools of virtual threads, as the program itself reads them. They also have what carriers do for a thread after it
 * has ended, which its clock has not.
 */
@InChild(jdks = InChild.JdkChoice.WITH_VIRTUAL_THREADS)
public class VirtualPoolsIT {
    private static final int THREADS = 20;
    private static final long WORK_MS = 2;

    @Test
    void haveWhatTheirThreadsHaveInTheOrderInWhichTheyCame() throws Exception {
        Map<String, Long> clocks = new TreeMap<>();
        for (String pool : new String[] {"orders", "", "mail", "audit"}) {
            clocks.put(pool, cpuNs(ended(pool)));
        }
        List<VirtualPoolTimes> pools;
        do { // a carrier books the end of a thread after others can see it
            pools = VirtualThreads.pools(100);
        } while (pools.stream().anyMatch(pool -> pool.threads() > 0));
        assertThat(pools.stream().map(VirtualPoolTimes::name))
                .containsExactly("(carriers' rest)", "(no name)", "orders-*", "mail-*", "audit-*");
        assertThat(cpuNsOf(pools, "orders-*")).isPositive().isGreaterThanOrEqualTo(clocks.get("orders"));
        assertThat(cpuNsOf(pools, "(no name)")) // also has that by which the library tries whether it can measure
                .isGreaterThanOrEqualTo(clocks.get(""));
        assertThat(pools.get(2).mounts()).as("mounts").isGreaterThanOrEqualTo(THREADS);
        assertThat(pools.get(0).isRest()).as("of %s: isRest()", pools.get(0)).isTrue();
        assertThat(pools.get(0).mounts()).as("mounts of the rest").isZero();
        List<VirtualPoolTimes> few = VirtualThreads.pools(4);
        assertThat(few.stream().map(VirtualPoolTimes::name))
                .containsExactly("(carriers' rest)", "(no name)", "orders-*", "(other names)");
        assertThat(cpuNsOf(few, "(other names)"))
                .isGreaterThanOrEqualTo(cpuNsOf(pools, "mail-*") + cpuNsOf(pools, "audit-*"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VirtualThreads.pools(1))
                .withMessageContaining("Give 2 or more");
        assertAThreadThatIsMountedCountsUpToNow();
    }

    private static void assertAThreadThatIsMountedCountsUpToNow() throws InterruptedException {
        Thread thread = VirtualThreads.factory("busy-").newThread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Work.spin(WORK_MS);
            }
        });
        thread.start();
        try {
            long beforeNs = 0;
            for (int rising = 0; rising < 5; ) {
                long nowNs = cpuNsOf(VirtualThreads.pools(100), "busy-*");
                assertThat(nowNs).isGreaterThanOrEqualTo(beforeNs);
                rising += nowNs > beforeNs ? 1 : 0;
                beforeNs = nowNs;
            }
            assertThat(VirtualThreads.cpuTimeNs(thread)).isGreaterThanOrEqualTo(beforeNs);
        } finally {
            thread.interrupt();
            thread.join();
        }
    }

    private static List<Thread> ended(String prefix) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = VirtualThreads.factory().newThread(() -> Work.spin(WORK_MS));
            thread.setName(prefix.isEmpty() ? "" : prefix + "-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return threads;
    }

    private static long cpuNs(List<Thread> threads) {
        return threads.stream().mapToLong(VirtualThreads::cpuTimeNs).sum();
    }

    /** 0: there is no such pool yet. */
    private static long cpuNsOf(List<VirtualPoolTimes> pools, String name) {
        return pools.stream()
                .filter(pool -> pool.name().equals(name))
                .mapToLong(VirtualPoolTimes::cpuTimeNs)
                .sum();
    }
}
