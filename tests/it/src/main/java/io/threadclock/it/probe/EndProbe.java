// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;

/** Ends in the way its argument says, while other threads read their times without pause. */
public final class EndProbe {
    public static final int STATUS = 7;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int READERS = 4;

    private EndProbe() {}

    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(READERS);
        for (int i = 0; i < READERS; i++) {
            daemon(() -> readForEver(reading));
        }
        reading.await();
        Fact.print("ending", arguments[0]);
        switch (arguments[0]) {
            case "return":
                THREADS.getCurrentThreadUserTime();
                break;
            case "throw":
                throw new IllegalStateException("as asked for");
            case "halt":
                Runtime.getRuntime().halt(STATUS);
                break;
            case "exit":
                exitFromAnotherThread();
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void exitFromAnotherThread() throws InterruptedException {
        Thread exiting = daemon(() -> System.exit(STATUS));
        exiting.join();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void readForEver(CountDownLatch reading) {
        THREADS.getCurrentThreadUserTime();
        reading.countDown();
        while (THREADS.getCurrentThreadUserTime() >= 0) {
            THREADS.getCurrentThreadCpuTime();
        }
    }
}
