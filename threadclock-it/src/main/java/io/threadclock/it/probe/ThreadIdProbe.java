// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongUnaryOperator;

/** Prints the answers of getThreadCpuTime(id) and getThreadUserTime(id), for ids of all kinds. */
public final class ThreadIdProbe {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long BUSY_MS = 80; // of CPU time

    private ThreadIdProbe() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Parked busy = new Parked(() -> Work.spin(BUSY_MS));
                Parked idle = new Parked(() -> {})) {
            printKinds("cpu", THREADS::getThreadCpuTime, idle.id());
            printKinds("user", THREADS::getThreadUserTime, idle.id());
            Fact.print("busyNs", THREADS.getThreadCpuTime(busy.id()));
            Fact.print("idleNs", THREADS.getThreadCpuTime(idle.id()));
            Fact.print("idleKernelNs", KernelAccount.cpuNsOf(idle.tid()));
        }
        THREADS.setThreadCpuTimeEnabled(false);
        Fact.print("disabled.kind", Fact.kind(() -> THREADS.getThreadCpuTime(ownId())));
    }

    private static void printKinds(String time, LongUnaryOperator byId, long otherId) throws InterruptedException {
        long endedId = endedId();
        Fact.print(time + ".own.kind", Fact.kind(() -> byId.applyAsLong(ownId())));
        Fact.print(time + ".other.kind", Fact.kind(() -> byId.applyAsLong(otherId)));
        Fact.print(time + ".ended.kind", Fact.kind(() -> byId.applyAsLong(endedId)));
        Fact.print(time + ".unknown.kind", Fact.kind(() -> byId.applyAsLong(Long.MAX_VALUE)));
        Fact.print(time + ".zero.kind", Fact.kind(() -> byId.applyAsLong(0)));
        Fact.print(time + ".minusOne.kind", Fact.kind(() -> byId.applyAsLong(-1)));
    }

    static long endedId() throws InterruptedException {
        return endedId(() -> {});
    }

    /** The id of a thread that has done some work and ended: for a moment after join() the JVM may still list it. */
    static long endedId(Runnable work) throws InterruptedException {
        Parked parked = new Parked(work);
        long id = parked.id();
        parked.close();
        while (THREADS.getThreadInfo(id) != null) {
            Thread.sleep(1);
        }
        return id;
    }

    static long ownId() {
        return Thread.currentThread().getId();
    }
}
