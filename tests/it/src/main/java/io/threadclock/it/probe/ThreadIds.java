// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Java's ids of threads. */
final class ThreadIds {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ThreadIds() {}

    static long endedId() throws InterruptedException {
        return endedId(() -> {});
    }

    /** The id of a thread that has done some work and ended: for a moment after join() the JVM may still list it. */
    static long endedId(Runnable work) throws InterruptedException {
        Parked parked = new Parked(work);
        long id = parked.id();
        parked.close();
        while (THREADS.getThreadInfo(id) != null) {
            Thread.sleep(1);
        }
        return id;
    }

    static long ownId() {
        return Thread.currentThread().getId();
    }
}
