// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.program;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Asks for the times of many threads in one call, and answers the mean ns of a thread. Before each call one thread in
 * fifty runs a little, as in a program most of whose threads wait. Only the calls are timed.
 */
public final class ThreadArrays {
    /** One thread in so many has run since the last call. */
    public static final int ONE_RUNS_IN = 50;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final List<DozingThread> threads = new ArrayList<>();
    private int nextToWake;

    ThreadArrays() {}

    public static void main(String[] arguments) throws IOException {
        ThreadArrays arrays = new ThreadArrays();
        Answer.toEachLine(line -> Double.toString(arrays.nsPerThread(ArrayRequest.parse(line))));
    }

    double nsPerThread(ArrayRequest request) {
        long[] ids = ids(request.threads());
        long calls = 0;
        long calledNs = 0;
        long endNs = System.nanoTime() + request.durationNs();
        do {
            wakeSome(ids.length);
            long beginNs = System.nanoTime();
            call(request.quantity(), ids);
            calledNs += System.nanoTime() - beginNs;
            calls++;
        } while (System.nanoTime() - endNs < 0);
        return (double) calledNs / calls / ids.length;
    }

    private static void call(Quantity quantity, long[] ids) {
        long[] times = quantity == Quantity.USER_TIME ? THREADS.getThreadUserTime(ids) : THREADS.getThreadCpuTime(ids);
        for (long ns : times) {
            if (ns < 0) {
                throw new IllegalStateException("a thread that lives has no " + quantity);
            }
        }
    }

    private long[] ids(int count) {
        while (threads.size() < count) {
            DozingThread thread = new DozingThread();
            thread.start();
            threads.add(thread);
        }
        return threads.stream().limit(count).mapToLong(Thread::getId).toArray();
    }

    private void wakeSome(int count) {
        int some = Math.max(1, count / ONE_RUNS_IN);
        CountDownLatch done = new CountDownLatch(some);
        for (int i = 0; i < some; i++) {
            nextToWake = (nextToWake + 1) % count;
            threads.get(nextToWake).wake(done);
        }
        try {
            done.await();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
