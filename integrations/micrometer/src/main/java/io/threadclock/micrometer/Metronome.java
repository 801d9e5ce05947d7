// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.diagnostics.FailureLog;
import java.time.Duration;

/**
 * Runs a task after each interval, or at once, too, in a daemon thread of its own, until it is closed. The thread is a
 * platform thread, because others cannot be read. The first failure of the task is logged, and the task runs again all
 * the same: the handler of uncaught exceptions is the program's, and may end it.
 */
final class Metronome implements AutoCloseable {
    /** No caller of {@link #close()} waits longer, whatever the task waits for. */
    private static final long LONGEST_BEAT_MS = 1_000;

    private final FailureLog failures = new FailureLog("Meters may be old or missing.");
    private final Runnable work;
    private final boolean beginsAtOnce;
    private final long intervalMs;
    private final Thread thread;
    private boolean isStarted;
    private boolean isClosed;

    Metronome(String threadName, boolean beginsAtOnce, Duration interval, Runnable work) {
        this.beginsAtOnce = beginsAtOnce;
        this.work = work;
        this.intervalMs = Math.max(1, interval.toMillis());
        thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    /** The first call starts the thread; others change nothing. */
    synchronized void start() {
        if (!isStarted) {
            isStarted = true;
            thread.start();
        }
    }

    /** Waits for the thread, unless that calls it, so that a container finds none of a program that has ended. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        if (Thread.currentThread() != thread) {
            try {
                thread.join(LONGEST_BEAT_MS);
            } catch (InterruptedException told) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        if (beginsAtOnce) {
            beat();
        }
        while (awaitNext()) {
            beat();
        }
    }

    private void beat() {
        try {
            work.run();
        } catch (Throwable failed) { // a meter that cannot be registered, no memory
            failures.report("The work of thread " + thread.getName(), failed);
        }
    }

    private synchronized boolean awaitNext() {
        long endNs = System.nanoTime() + intervalMs * 1_000_000;
        try {
            for (long leftMs = intervalMs; !isClosed && leftMs > 0; ) {
                wait(leftMs);
                leftMs = (endNs - System.nanoTime() + 999_999) / 1_000_000;
            }
        } catch (InterruptedException toldToEnd) {
            isClosed = true;
        }
        return !isClosed;
    }
}
