// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import java.util.HashMap;
import java.util.Map;

/** The living platform threads as objects, which an event's field of type thread needs. */
final class LivingThreads {
    private LivingThreads() {}

    /** All threads by Java thread id. Costs no stack traces. */
    @SuppressWarnings("deprecation") // threadId() is of Java 19; it is the same, unless a thread overrides getId()
    static Map<Long, Thread> byId() {
        Thread[] threads = all(root());
        Map<Long, Thread> byId = new HashMap<>(2 * threads.length);
        for (Thread thread : threads) {
            if (thread != null) {
                byId.put(thread.getId(), thread);
            }
        }
        return byId;
    }

    private static ThreadGroup root() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /** A full array may have been too short. */
    private static Thread[] all(ThreadGroup root) {
        Thread[] threads;
        int found;
        do {
            threads = new Thread[2 * root.activeCount() + 16];
            found = root.enumerate(threads, true);
        } while (found == threads.length);
        return threads;
    }
}
