// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.ThreadsSnapshot;
import io.threadclock.VirtualThreads;
import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/** A great many virtual threads, with accounts or without, on as many carriers as there are CPUs. */
public final class ManyVirtualThreads {
    /** The number of them in a snapshot. */
    public static final int MOST_CPU_TIME = 100;

    private static final int SNAPSHOTS = 3;

    private volatile boolean mayEnd;

    private ManyVirtualThreads() {}

    /** @param areParked whether all are parked at once; otherwise each ends as soon as it can */
    public record Request(int threads, boolean isAccounted, boolean areParked) {}

    /**
     * The cost of one thread, 0 where it was not measured.
     *
     * @param ns from the first start to the last end, divided by the number of threads
     * @param parkedBytes of the heap while all are parked, without a fraction, which is other objects'
     * @param endedBytes of the heap after all have ended, likewise
     * @param snapshotNs of the whole snapshot while all are parked
     */
    public record Cost(double ns, double parkedBytes, double endedBytes, double snapshotNs) {}

    public static void main(String[] arguments) throws IOException {
        Exchange.answerEach(Request.class, ManyVirtualThreads::cost);
    }

    static Cost cost(Request request) {
        ThreadFactory stock = LivesOfThreads.virtual();
        ThreadFactory factory = request.isAccounted() ? VirtualThreads.factory(stock) : stock;
        return request.areParked()
                ? new ManyVirtualThreads().park(factory, request.threads())
                : new Cost(startAndEnd(factory, request.threads()), 0, 0, 0);
    }

    private static double startAndEnd(ThreadFactory factory, int count) {
        CountDownLatch ended = new CountDownLatch(count);
        long beginNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            factory.newThread(ended::countDown).start();
        }
        Population.await(ended);
        return (double) (System.nanoTime() - beginNs) / count;
    }

    private Cost park(ThreadFactory factory, int count) {
        long emptyBytes = heapBytes();
        Thread[] threads = parked(factory, count);
        long parkedBytes = heapBytes();
        ThreadsSnapshot.take(MOST_CPU_TIME);
        double snapshotNs = MeanTime.ns(0, SNAPSHOTS, () -> {
            for (int i = 0; i < SNAPSHOTS; i++) {
                ThreadsSnapshot.take(MOST_CPU_TIME);
            }
        });
        mayEnd = true;
        end(threads);
        long endedBytes = heapBytes();
        return new Cost(0, ofEach(parkedBytes - emptyBytes, count), ofEach(endedBytes - emptyBytes, count), snapshotNs);
    }

    private static long ofEach(long bytes, int count) {
        return Math.round((double) bytes / count);
    }

    private Thread[] parked(ThreadFactory factory, int count) {
        CountDownLatch started = new CountDownLatch(count);
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = factory.newThread(() -> {
                started.countDown();
                while (!mayEnd) {
                    LockSupport.park();
                }
            });
            threads[i].start();
        }
        Population.await(started);
        return threads;
    }

    /** Nothing refers to them afterwards. */
    private static void end(Thread[] threads) {
        for (Thread thread : threads) {
            LockSupport.unpark(thread);
        }
        for (int i = 0; i < threads.length; i++) {
            LivesOfThreads.join(threads[i]);
            threads[i] = null;
        }
    }

    /** The heap in use after a full collection. */
    private static long heapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
