// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;

/** The calls of one thread, each timed by itself. */
final class TimedCalls implements Runnable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int SIGNIFICANT_DIGITS = 3;

    /** Read by nobody; a result that is not used need not be computed. */
    private static volatile long last;

    private final Histogram histogram = emptyHistogram();
    private final Request request;
    private final CountDownLatch allThere;

    TimedCalls(Request request, CountDownLatch allThere) {
        this.request = request;
        this.allThere = allThere;
    }

    static Histogram emptyHistogram() {
        return new Histogram(SIGNIFICANT_DIGITS);
    }

    Histogram histogram() {
        return histogram;
    }

    @Override
    public void run() {
        allThere.countDown();
        try {
            allThere.await();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
        long endNs = System.nanoTime() + request.durationNs();
        switch (request.call()) {
            case USER_TIME -> timeUserTime(endNs);
            case CPU_TIME -> timeCpuTime(endNs);
            default -> timeNothing(endNs);
        }
    }

    private void timeNothing(long endNs) {
        long afterNs;
        do {
            long beforeNs = System.nanoTime();
            afterNs = System.nanoTime();
            histogram.recordValue(Math.max(0, afterNs - beforeNs));
        } while (afterNs - endNs < 0);
    }

    private void timeUserTime(long endNs) {
        long afterNs;
        long userNs;
        do {
            long beforeNs = System.nanoTime();
            userNs = THREADS.getCurrentThreadUserTime();
            afterNs = System.nanoTime();
            histogram.recordValue(Math.max(0, afterNs - beforeNs));
        } while (afterNs - endNs < 0);
        last = userNs;
    }

    private void timeCpuTime(long endNs) {
        long afterNs;
        long cpuNs;
        do {
            long beforeNs = System.nanoTime();
            cpuNs = THREADS.getCurrentThreadCpuTime();
            afterNs = System.nanoTime();
            histogram.recordValue(Math.max(0, afterNs - beforeNs));
        } while (afterNs - endNs < 0);
        last = cpuNs;
    }
}
