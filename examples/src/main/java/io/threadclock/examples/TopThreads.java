// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import io.threadclock.IntervalUsage;
import io.threadclock.ThreadUsage;
import io.threadclock.ThreadsSnapshot;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Which threads use the CPUs right now? The program takes two snapshots, and prints what each thread used between them,
 * the greatest first.
 *
 * <pre>java -cp examples/target/threadclock-examples.jar io.threadclock.examples.TopThreads</pre>
 */
public final class TopThreads {
    private static final int SHOWN = 6;
    private static final int INTERVAL_MS = 500;
    private static final int TURN_MS = 5;

    private TopThreads() {}

    public static void main(String[] arguments) throws InterruptedException {
        start("works always", () -> work(TURN_MS));
        start("works half the time", () -> {
            long beginNs = System.nanoTime();
            work(TURN_MS);
            LockSupport.parkNanos(System.nanoTime() - beginNs);
        });
        start("waits", LockSupport::park);
        ThreadsSnapshot before = ThreadsSnapshot.take();
        for (int i = 0; i < 3; i++) {
            TimeUnit.MILLISECONDS.sleep(INTERVAL_MS);
            ThreadsSnapshot now = ThreadsSnapshot.take();
            print(now.diff(before));
            before = now;
        }
    }

    private static void print(IntervalUsage usage) {
        System.out.printf(
                "%d threads, %.2f CPUs, of them user %.0f %%:%n",
                usage.threads().size(),
                (double) usage.cpuTimeNs() / usage.wallTimeNs(),
                100.0 * usage.userTimeNs() / usage.cpuTimeNs());
        usage.threads().stream()
                .sorted(Comparator.comparingLong(ThreadUsage::cpuTimeNs).reversed())
                .limit(SHOWN)
                .forEach(thread -> System.out.printf(
                        "  %6.1f %%  %-13s  %s%n", 100 * thread.usageRatio(), thread.state(), thread.name()));
    }

    private static void start(String name, Runnable turn) {
        Thread thread = new Thread(
                () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        turn.run();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void work(int ms) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (System.nanoTime() < endNs) {}
    }
}
