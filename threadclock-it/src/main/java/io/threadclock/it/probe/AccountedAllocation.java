// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadTimes;
import io.threadclock.TimesHolder;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What readings of an accounted virtual thread allocate, as another thread sees it of the carrier: the JDK tells it of no virtual
 * thread. With one carrier (-Djdk.virtualThreadScheduler.parallelism=1).
 */
final class AccountedAllocation {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final int ROUNDS = 5;
    private static final int READINGS = 200_000;

    /** Rounds that the reader may begin, and has done. */
    private final AtomicInteger begun = new AtomicInteger();

    private final AtomicInteger done = new AtomicInteger();
    private volatile long sink;

    /** The least of some rounds: the JVM itself may allocate once; readings would in each of them. */
    long leastBytes() throws InterruptedException {
        Thread reader = io.threadclock.VirtualThreads.factory().newThread(this::read);
        reader.start();
        awaitAtLeast(done, 1); // the first one, which compiles, begins by itself
        long carrier = carrierId();
        long leastBytes = Long.MAX_VALUE;
        for (int round = 1; round <= ROUNDS; round++) {
            long beforeBytes = THREADS.getThreadAllocatedBytes(carrier);
            begun.set(round);
            awaitAtLeast(done, round + 1);
            leastBytes = Math.min(leastBytes, THREADS.getThreadAllocatedBytes(carrier) - beforeBytes);
        }
        reader.join();
        return leastBytes;
    }

    /** Mounted all the time, so that nobody else uses the carrier. */
    private void read() {
        TimesHolder holder = new TimesHolder();
        for (int round = 0; round <= ROUNDS; round++) {
            awaitAtLeast(begun, round);
            for (int i = 0; i < READINGS; i++) {
                ThreadClock.read(holder);
                sink += holder.userTimeNs() + ThreadClock.cpuTimeNs();
                sink += ThreadClock.userTimeNs() + ThreadClock.systemTimeNs();
                sink += ThreadClock.canRead() ? 1 : 0;
            }
            done.incrementAndGet();
        }
    }

    /** Without parking. */
    private static void awaitAtLeast(AtomicInteger count, int wanted) {
        while (count.get() < wanted) {
            Spin.forMs(0);
        }
    }

    private static long carrierId() {
        return ThreadTimes.snapshot().threads().stream()
                .filter(thread -> thread.name().matches("ForkJoinPool-1-worker-\\d+"))
                .mapToLong(ThreadSample::threadId)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no carrier found"));
    }
}
