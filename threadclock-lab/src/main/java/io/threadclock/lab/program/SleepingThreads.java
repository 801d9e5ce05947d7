// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** Holds threads that sleep, and knows nothing of thread times. Each request is how many to start; answers that. */
public final class SleepingThreads {
    private SleepingThreads() {}

    public static void main(String[] arguments) throws IOException {
        Answer.toEachLine(line -> Integer.toString(start(Integer.parseInt(line))));
    }

    static int start(int count) {
        CountDownLatch running = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> sleep(running), "sleeping");
            thread.setDaemon(true);
            thread.start();
        }
        await(running);
        return count;
    }

    private static void sleep(CountDownLatch running) {
        running.countDown();
        await(new CountDownLatch(1));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
