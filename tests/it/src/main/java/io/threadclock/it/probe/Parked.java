// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.concurrent.CountDownLatch;

/**
 * A thread that does some work, then waits until it is let go: for the JVM as for the kernel when the constructor
 * returns.
 */
final class Parked implements AutoCloseable {
    private final CountDownLatch atRest = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final Thread thread;
    private int tid;

    Parked(Runnable work) throws InterruptedException {
        thread = new Thread(() -> {
            tid = KernelAccount.tid();
            work.run();
            atRest.countDown();
            awaitUninterrupted(letGo);
        });
        thread.start();
        atRest.await();
        while (thread.getState() != Thread.State.WAITING || !KernelAccount.isAsleep(tid)) {
            Thread.sleep(1); // it says that it is at rest before it is
        }
    }

    long id() {
        return thread.getId();
    }

    /** The kernel's id of it. */
    int tid() {
        return tid;
    }

    @Override
    public void close() {
        letGo.countDown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
