// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Threads as in a program most of which wait. They are there to stay: their number never falls. */
final class DozingThreads {
    /** One thread in so many has run since it was last looked. */
    static final int ONE_RUNS_IN = 50;

    private final List<DozingThread> threads = new ArrayList<>();
    private int nextToWake;

    /** The first {@code count} of them. */
    List<? extends Thread> first(int count) {
        while (threads.size() < count) {
            DozingThread thread = new DozingThread();
            thread.start();
            threads.add(thread);
        }
        return threads.subList(0, count);
    }

    /** Lets some of the first {@code count} run a little, at least one; returns when they have. */
    void wakeSomeOf(int count) {
        int some = Math.max(1, count / ONE_RUNS_IN);
        CountDownLatch done = new CountDownLatch(some);
        for (int i = 0; i < some; i++) {
            nextToWake = (nextToWake + 1) % count;
            threads.get(nextToWake).wake(done);
        }
        try {
            done.await();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
