// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Virtual threads that sleep in one monitor in turn. Prints how many of them have not ended, of those that hang; and
 * before that whether the very first one can be read.
 */
public final class MonitorProbe {
    private static final int THREADS = 60;
    private static final int TURNS = 10;
    private static final int PATIENCE_S = 60;

    private MonitorProbe() {}

    public static void main(String[] arguments) throws InterruptedException {
        ReflectedVirtualThreads.start(() -> Fact.print("first.canRead", ThreadClock.canRead()))
                .join();
        CountDownLatch left = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            ReflectedVirtualThreads.start(() -> {
                for (int turn = 0; turn < TURNS; turn++) {
                    sleepInMonitor(left);
                }
                left.countDown();
            });
        }
        boolean have = left.await(PATIENCE_S, TimeUnit.SECONDS);
        Fact.print("left", have ? 0 : left.getCount());
        System.exit(0); // a carrier that waits for a monitor would keep the JVM
    }

    private static void sleepInMonitor(Object monitor) {
        synchronized (monitor) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException nobodyDoes) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
