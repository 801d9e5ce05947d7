// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import java.util.concurrent.locks.ReadWriteLock;

/** A thread that does something again and again, and nothing while the write lock is held. */
final class Actor extends Thread {
    private final Step step;
    private final ReadWriteLock stage;
    private final Breaches breaches;
    private volatile boolean ending;

    Actor(String name, Step step, ReadWriteLock stage, Breaches breaches) {
        super(name);
        this.step = step;
        this.stage = stage;
        this.breaches = breaches;
        setDaemon(true);
    }

    void end() throws InterruptedException {
        ending = true;
        join();
    }

    @Override
    public void run() {
        while (!ending) {
            stage.readLock().lock();
            try {
                step.take();
            } catch (Exception | LinkageError thrown) {
                breaches.add(Breach.EXCEPTION, getName() + ": " + thrown);
            } finally {
                stage.readLock().unlock();
            }
        }
    }

    /** Takes well under a second, and leaves no thread behind. */
    @FunctionalInterface
    interface Step {
        void take() throws Exception;
    }
}
