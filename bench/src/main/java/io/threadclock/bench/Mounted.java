// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.VirtualThreads;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What a virtual thread uses of the time for which it is mounted. The request is how long to work, ms. */
final class Mounted {
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";
    /** Some ms: so long does the kernel let a thread run. */
    private static final int UNIT_STEPS = 5_000_000;

    private static volatile long sink;

    private Mounted() {}

    /** Twice as many carriers as CPUs, so that a mounted thread often waits for one. */
    static String jvmOption() {
        return "-D" + CARRIERS + "=" + 2 * Runtime.getRuntime().availableProcessors();
    }

    public static void main(String[] arguments) throws Exception {
        Child.serve(request -> mounted(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(request))));
    }

    /**
     * Busy measured virtual threads on more carriers than CPUs, for a while. Answers the wall time for which they were
     * mounted and the CPU time that they read, both ÷ the CPU time of all carriers, which is the truth.
     */
    private static String mounted(long durationNs) throws InterruptedException {
        long endNs = System.nanoTime() + durationNs;
        LongAdder readNs = new LongAdder();
        LongAdder mountedNs = new LongAdder();
        Runnable work = () -> {
            do {
                long beginNs = System.nanoTime();
                long cpuBeginNs = ThreadClock.cpuTimeNs();
                long state = sink;
                for (int i = 0; i < UNIT_STEPS; i++) {
                    state = state * 6364136223846793005L + i;
                }
                sink = state;
                readNs.add(ThreadClock.cpuTimeNs() - cpuBeginNs);
                mountedNs.add(System.nanoTime() - beginNs);
                Thread.yield();
            } while (System.nanoTime() - endNs < 0);
        };
        long carriersBeginNs = carriersNs();
        ThreadFactory factory = VirtualThreads.factory();
        Thread[] threads = new Thread[Integer.getInteger(CARRIERS, 1)];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = factory.newThread(work);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        double carriersNs = carriersNs() - carriersBeginNs;
        return String.format(Locale.ROOT, "%.2f×\t%.2f×", mountedNs.sum() / carriersNs, readNs.sum() / carriersNs);
    }

    private static long carriersNs() {
        return ThreadsSnapshot.take().threads().stream()
                .filter(thread -> thread.name().startsWith("ForkJoinPool-1-worker-"))
                .mapToLong(thread -> thread.cpuTimeNs())
                .sum();
    }
}
