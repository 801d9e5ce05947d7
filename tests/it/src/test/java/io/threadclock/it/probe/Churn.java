// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** Threads that start and end, one after another: some are alive at any time, and the last to end are remembered. */
final class Churn {
    private static final int ALIVE = 8;
    private static final int REMEMBERED = 32;
    private static final int WORKER_EACH = 50;

    private final AtomicReferenceArray<ShortLivedThread> recent = new AtomicReferenceArray<>(REMEMBERED);
    private int started;

    Churn() throws InterruptedException {
        for (int i = 0; i < REMEMBERED; i++) {
            next();
        }
    }

    /** Starts one more and lets the eldest go. */
    void next() throws InterruptedException {
        ShortLivedThread thread = new ShortLivedThread(started % WORKER_EACH == 0, started % 2 == 0);
        recent.set(started % REMEMBERED, thread); // first, so that others ask for it while it starts
        thread.start();
        if (started >= ALIVE) {
            recent.get((started - ALIVE) % REMEMBERED).end();
        }
        started++;
    }

    int started() {
        return started;
    }

    /** Fills {@code threads} with those alive and those that ended last, in no order. */
    void copyTo(ShortLivedThread[] threads) {
        for (int i = 0; i < threads.length; i++) {
            threads[i] = recent.get(i % REMEMBERED);
        }
    }

    void end() throws InterruptedException {
        for (int i = Math.max(0, started - ALIVE); i < started; i++) {
            recent.get(i % REMEMBERED).end();
        }
    }
}
