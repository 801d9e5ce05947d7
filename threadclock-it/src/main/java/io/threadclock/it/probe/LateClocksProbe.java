// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes a virtual thread before its first gate, one after it, and one after its second, and prints which of them are
 * measured at the end. None of them is measured by the program.
 */
public final class LateClocksProbe {
    private static final long WORK_MS = 5;

    private final CountDownLatch mayEnd = new CountDownLatch(1);

    private LateClocksProbe() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        LateClocksProbe probe = new LateClocksProbe();
        Fact.print("measurable", VirtualThreads.areMeasurable());
        Thread first = probe.start("first");
        Gate.await("begin");
        Thread second = probe.start("second");
        Gate.await("middle");
        Thread third = probe.start("third");
        probe.mayEnd.countDown();
        for (Thread thread : new Thread[] {first, second, third}) {
            thread.join();
            Fact.print(thread.getName() + ".ns", VirtualThreads.cpuTimeNs(thread));
        }
    }

    private Thread start(String name) throws InterruptedException {
        CountDownLatch works = new CountDownLatch(1);
        Thread thread = ReflectedVirtualThreads.unstarted(() -> {
            works.countDown();
            Work.spin(WORK_MS);
            await();
            Work.spin(WORK_MS);
            Fact.print(name + ".canRead", ThreadClock.canRead());
            Fact.print(name + ".read", Fact.kind(ThreadClock::cpuTimeNs));
        });
        thread.setName(name);
        thread.start();
        works.await();
        return thread;
    }

    /** Parks again and again, so that it is mounted while the agent comes and goes. */
    private void await() {
        while (mayEnd.getCount() > 0) {
            LockSupport.parkNanos(100_000);
        }
    }
}
