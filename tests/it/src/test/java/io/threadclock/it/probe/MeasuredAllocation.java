// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.TimesHolder;
import io.threadclock.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures what readings of a measured virtual thread, and its mounts, allocate. Another thread reads this of the
 * carrier, because the JDK does not tell it for virtual threads. Needs a single carrier
 * (-Djdk.virtualThreadScheduler.parallelism=1).
 */
final class MeasuredAllocation {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final int ROUNDS = 5;
    private static final int MOUNTS = 20_000;

    private final ThreadFactory factory;
    private final Runnable round;

    /** The rounds that the reader may begin, and those that it has done. */
    private final AtomicInteger begun = new AtomicInteger();

    private final AtomicInteger done = new AtomicInteger();
    private volatile long sink;

    private MeasuredAllocation(ThreadFactory factory, int readings) {
        this.factory = factory;
        this.round = readings > 0 ? new Readings(readings) : MeasuredAllocation::mount;
    }

    static long ofReadings(int readings) throws InterruptedException {
        return new MeasuredAllocation(VirtualThreads.factory(), readings).leastBytes();
    }

    /** Bytes that a mount of a measured thread allocates, less those of a thread that is not measured. */
    static long ofAMount() throws InterruptedException {
        long measured = new MeasuredAllocation(VirtualThreads.factory(), 0).leastBytes();
        return (measured - new MeasuredAllocation(ReflectedVirtualThreads::unstarted, 0).leastBytes()) / MOUNTS;
    }

    /** Takes the least of some rounds, because the JVM itself may allocate once, but readings would in each round. */
    private long leastBytes() throws InterruptedException {
        Thread reader = factory.newThread(this::work);
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

    /** The only thread that uses the carrier. */
    private void work() {
        for (int i = 0; i <= ROUNDS; i++) {
            awaitAtLeast(begun, i);
            round.run();
            done.incrementAndGet();
        }
    }

    private static void mount() {
        for (int i = 0; i < MOUNTS; i++) {
            Thread.yield();
        }
    }

    private final class Readings implements Runnable {
        private final int readings;
        private TimesHolder holder;

        Readings(int readings) {
            this.readings = readings;
        }

        @Override
        public void run() {
            if (holder == null) {
                holder = new TimesHolder();
            }
            for (int i = 0; i < readings; i++) {
                ThreadClock.read(holder);
                sink += holder.userTimeNs() + ThreadClock.cpuTimeNs();
                sink += ThreadClock.userTimeNs() + ThreadClock.systemTimeNs();
                sink += ThreadClock.canRead() ? 1 : 0;
            }
        }
    }

    /** Without parking. */
    private static void awaitAtLeast(AtomicInteger count, int wanted) {
        while (count.get() < wanted) {
            Spin.forMs(0);
        }
    }

    private static long carrierId() {
        return ThreadsSnapshot.take().threads().stream()
                .filter(thread -> thread.name().matches("ForkJoinPool-1-worker-\\d+"))
                .mapToLong(ThreadSample::threadId)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no carrier found"));
    }
}
