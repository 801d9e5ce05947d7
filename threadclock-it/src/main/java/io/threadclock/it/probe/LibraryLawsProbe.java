// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.CpuStopwatch;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.TimesHolder;
import java.lang.management.ManagementFactory;

/**
 * Reads its own times through the Java library, and counts broken laws, allocations, and the answers to a virtual
 * thread.
 */
public final class LibraryLawsProbe {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 3;

    private final TimesHolder holder = new TimesHolder();
    private final CpuStopwatch watch = new CpuStopwatch();
    private long lastCpuNs;
    private long lastUserNs;
    private long breaches;
    private long sink;

    private LibraryLawsProbe() {}

    public static void main(String[] arguments) throws InterruptedException {
        int readings = Integer.parseInt(arguments[0]);
        LibraryLawsProbe probe = new LibraryLawsProbe();
        Fact.print("source", ThreadClock.source());
        Fact.print("split", ThreadClock.split());
        Fact.print("binding", ThreadClock.binding());
        probe.printBreaches(readings);
        probe.readAll(WARM_UP);
        Fact.print("allocatedBytes", probe.leastAllocatedBytes(readings));
        probe.printSpin();
        Fact.print("virtual", ReflectedVirtualThreads.areAvailable());
        if (ReflectedVirtualThreads.areAvailable()) {
            ReflectedVirtualThreads.start(probe::printVirtual).join();
        }
    }

    private void printBreaches(int readings) {
        for (int i = 0; i < readings; i++) {
            ThreadClock.read(holder);
            judge(holder.cpuTimeNs(), holder.userTimeNs(), holder.systemTimeNs());
        }
        CpuTimes times = ThreadClock.read();
        judge(times.cpuTimeNs(), times.userTimeNs(), times.systemTimeNs());
        long userNs = ThreadClock.userTimeNs();
        long cpuNs = ThreadClock.cpuTimeNs();
        judge(cpuNs, userNs, cpuNs - userNs);
        Fact.print("breaches", breaches);
    }

    private void judge(long cpuNs, long userNs, long systemNs) {
        boolean grows = cpuNs >= lastCpuNs && userNs >= lastUserNs && userNs - lastUserNs <= cpuNs - lastCpuNs;
        if (!grows || systemNs < 0 || userNs + systemNs != cpuNs) {
            breaches++;
        }
        lastCpuNs = cpuNs;
        lastUserNs = userNs;
    }

    private void readAll(int readings) {
        for (int i = 0; i < readings; i++) {
            ThreadClock.read(holder);
            sink += holder.userTimeNs() + ThreadClock.cpuTimeNs();
            sink += ThreadClock.userTimeNs() + ThreadClock.systemTimeNs();
            try (CpuStopwatch running = watch.start()) {
                sink += running.lap();
            }
            sink += watch.cpuTimeNs();
        }
    }

    /**
     * Takes the least of some rounds, because the JVM itself may allocate once (128 bytes on 17), but readings would in
     * each round.
     */
    private long leastAllocatedBytes(int readings) {
        long leastBytes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            leastBytes = Math.min(leastBytes, allocatedBytes(readings));
        }
        return leastBytes;
    }

    /** Without the bytes that asking for it allocates. */
    private long allocatedBytes(int readings) {
        long id = ThreadIdProbe.ownId();
        THREADS.getThreadAllocatedBytes(id);
        long first = THREADS.getThreadAllocatedBytes(id);
        long before = THREADS.getThreadAllocatedBytes(id);
        readAll(readings);
        return THREADS.getThreadAllocatedBytes(id) - before - (before - first);
    }

    private void printSpin() {
        long beforeNs = ThreadClock.cpuTimeNs();
        watch.start();
        Spin.forMs(50);
        long lapNs = watch.lap();
        long watchNs = watch.stop();
        Fact.print("spin.clock", ThreadClock.cpuTimeNs() - beforeNs);
        Fact.print("spin.watch", watchNs);
        Fact.print("spin.lap", lapNs);
        Fact.print("spin.sum", watch.userTimeNs() + watch.systemTimeNs());
    }

    private void printVirtual() {
        Fact.print("virtual.cpu", Fact.kind(ThreadClock::cpuTimeNs));
        Fact.print("virtual.value", Fact.kind(() -> ThreadClock.read().cpuTimeNs()));
        Fact.print("unmeasured.watch", watch.start().stop());
    }
}
