// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Prints the readings of a virtual thread by itself and by others. */
public final class VirtualThreadProbe {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private VirtualThreadProbe() {}

    public static void main(String[] arguments) throws InterruptedException {
        Fact.print("available", ReflectedVirtualThreads.areAvailable());
        if (ReflectedVirtualThreads.areAvailable()) {
            ReflectedVirtualThreads.start(VirtualThreadProbe::printOwn).join();
            Fact.print("main.cpu", Fact.kind(THREADS::getCurrentThreadCpuTime));
        }
    }

    private static void printOwn() {
        long ownId = ThreadIdProbe.ownId();
        Fact.print("current.user", Fact.kind(THREADS::getCurrentThreadUserTime));
        Fact.print("current.cpu", Fact.kind(THREADS::getCurrentThreadCpuTime));
        Fact.print("byOwnId.user", Fact.kind(() -> THREADS.getThreadUserTime(ownId)));
        Fact.print("byOwnId.cpu", Fact.kind(() -> THREADS.getThreadCpuTime(ownId)));
        printInArray("byOwnId", ownId);
        Thread asker = new Thread(() -> printByOther(ownId));
        asker.start();
        try {
            asker.join();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }

    private static void printByOther(long virtualId) {
        Fact.print("byOther.user", Fact.kind(() -> THREADS.getThreadUserTime(virtualId)));
        Fact.print("byOther.cpu", Fact.kind(() -> THREADS.getThreadCpuTime(virtualId)));
        printInArray("byOther", virtualId);
    }

    private static void printInArray(String way, long virtualId) {
        long[] ids = {virtualId, virtualId};
        Fact.print(way + ".inArray.user", Fact.kinds(() -> THREADS.getThreadUserTime(ids)));
        Fact.print(way + ".inArray.cpu", Fact.kinds(() -> THREADS.getThreadCpuTime(ids)));
    }
}
