// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/**
 * Asks for the times of many threads in one call, and answers the mean ns of a thread. Before each call one thread in
 * fifty runs a little, as in a program most of whose threads wait. Only the calls are timed.
 */
public final class ThreadArrays {
    /** One thread in so many has run since the last call. */
    public static final int ONE_RUNS_IN = DozingThreads.ONE_RUNS_IN;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final DozingThreads threads = new DozingThreads();

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
            threads.wakeSomeOf(ids.length);
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
        return threads.first(count).stream().mapToLong(Thread::getId).toArray();
    }
}
