// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * A task that runs again and again in a thread of its own, but never for more than a hundredth of the time. Only one
 * thread may use it.
 */
final class BackgroundTask<T> implements AutoCloseable {
    private static final long REST_FACTOR = 100;

    private record Done<T>(T result, long elapsedNs) {}

    private final Supplier<T> work;
    private final long restNs;
    private CompletableFuture<Done<T>> running;
    private Thread thread;
    private long restsUntilNs = System.nanoTime();

    /** @param rest the least pause after each run */
    BackgroundTask(Supplier<T> work, Duration rest) {
        this.work = work;
        this.restNs = rest.toNanos();
    }

    /** False if the task is running, or in its pause. */
    boolean begin() {
        if (running != null || System.nanoTime() - restsUntilNs < 0) {
            return false;
        }
        running = CompletableFuture.supplyAsync(this::run, this::startDaemon);
        return true;
    }

    /** The result of a run, once. After a failure the pause is long. */
    Optional<T> result() {
        if (running == null || !running.isDone()) {
            return Optional.empty();
        }
        CompletableFuture<Done<T>> ended = running;
        running = null;
        try {
            Done<T> done = ended.join();
            restsUntilNs = System.nanoTime() + Math.max(restNs, REST_FACTOR * done.elapsedNs);
            return Optional.of(done.result);
        } catch (CompletionException refused) {
            restsUntilNs = System.nanoTime() + REST_FACTOR * restNs;
            return Optional.empty();
        }
    }

    private Done<T> run() {
        long beginNs = System.nanoTime();
        return new Done<>(work.get(), System.nanoTime() - beginNs);
    }

    private void startDaemon(Runnable task) {
        thread = new Thread(task, "background task");
        thread.setDaemon(true);
        thread.start();
    }

    /** Interrupts a run, and returns when that has ended: what it uses may be closed then. */
    @Override
    public void close() {
        if (running != null) {
            thread.interrupt();
            running.handle((done, failure) -> "over").join();
        }
    }
}
