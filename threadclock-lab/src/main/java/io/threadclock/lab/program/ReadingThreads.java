// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;

/** Holds threads that have each read their user time. Each request is the number of threads to have from now on. */
public final class ReadingThreads {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static int running;

    private ReadingThreads() {}

    public static void main(String[] arguments) throws IOException {
        Answer.toEachLine(line -> Integer.toString(increaseTo(Integer.parseInt(line))));
    }

    private static int increaseTo(int wanted) {
        CountDownLatch haveRead = new CountDownLatch(wanted - running);
        for (; running < wanted; running++) {
            Thread thread = new Thread(() -> readAndWait(haveRead));
            thread.setDaemon(true);
            thread.start();
        }
        await(haveRead);
        return running;
    }

    private static void readAndWait(CountDownLatch haveRead) {
        THREADS.getCurrentThreadUserTime();
        haveRead.countDown();
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
