// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.VirtualThreads;
import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Units of work in accounted virtual threads, as many as there are carriers, and all of them busy; answers what one unit has cost by
 * three clocks that look at the same units.
 */
public final class MountedUnits {
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";
    private static final String CARRIER = "ForkJoinPool-1-worker-";

    /**
     * Some ms, which is as long as the kernel lets a thread run, so that some units are interrupted and some are not.
     */
    private static final int UNIT_STEPS = 5_000_000;

    private static volatile long sink;

    private MountedUnits() {}

    public record Request(long durationMs) {}

    /**
     * Nanoseconds of one unit.
     *
     * @param account what the thread has read of itself
     * @param mounted the wall time for which it was mounted
     * @param carriers what the kernel has charged all carriers, by the number of units: the truth, and the price of
     *     yields besides
     */
    public record Cost(double account, double mounted, double carriers) {}

    /** The option with which its JVM is started. */
    public static String jvmOption(int carriersPerCpu) {
        return "-D" + CARRIERS + "=" + carriersPerCpu * Runtime.getRuntime().availableProcessors();
    }

    public static void main(String[] arguments) throws IOException {
        Exchange.answerEach(Request.class, MountedUnits::cost);
    }

    static Cost cost(Request request) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.durationMs());
        LongAdder units = new LongAdder();
        LongAdder accountNs = new LongAdder();
        LongAdder mountedNs = new LongAdder();
        Runnable work = () -> {
            do {
                long beginNs = System.nanoTime();
                long cpuBeginNs = ThreadClock.cpuTimeNs();
                sink = steps(UNIT_STEPS);
                accountNs.add(ThreadClock.cpuTimeNs() - cpuBeginNs);
                mountedNs.add(System.nanoTime() - beginNs);
                units.increment();
                Thread.yield();
            } while (System.nanoTime() - endNs < 0);
        };
        long carriersBeginNs = carriersNs();
        runOnAllCarriers(work);
        double count = units.sum();
        return new Cost(accountNs.sum() / count, mountedNs.sum() / count, (carriersNs() - carriersBeginNs) / count);
    }

    private static void runOnAllCarriers(Runnable work) {
        ThreadFactory factory = VirtualThreads.factory();
        Thread[] threads =
                new Thread[Integer.getInteger(CARRIERS, Runtime.getRuntime().availableProcessors())];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = factory.newThread(work);
            threads[i].start();
        }
        for (Thread thread : threads) {
            LivesOfThreads.join(thread);
        }
    }

    private static long steps(int count) {
        long state = sink;
        for (int i = 0; i < count; i++) {
            state = state * 6364136223846793005L + i;
        }
        return state;
    }

    private static long carriersNs() {
        return ThreadsSnapshot.take().threads().stream()
                .filter(thread -> thread.name().startsWith(CARRIER))
                .mapToLong(ThreadSample::cpuTimeNs)
                .sum();
    }
}
