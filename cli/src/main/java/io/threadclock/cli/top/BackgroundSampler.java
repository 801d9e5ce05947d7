// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.threads.ProcessEnded;
import io.threadclock.cli.threads.ProcessSilent;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadReader;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Takes snapshots in a thread of its own, so that a process that does not answer does not hold up the keys. */
final class BackgroundSampler implements AutoCloseable {
    private static final int KEPT = 2;

    /**
     * The result of one attempt.
     *
     * @param sample null if there is none
     * @param notice the reason why there is none; empty if there is one
     * @param isOver whether there will be no other
     * @param waitedNs how long the answer took
     */
    record Report(UsageSample sample, String notice, boolean isOver, long waitedNs) {}

    private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>(KEPT);
    private final ThreadReader reader;
    private final Thread thread;
    private volatile Duration interval;

    BackgroundSampler(ThreadReader reader, Duration interval) {
        this.reader = reader;
        this.interval = interval;
        thread = new Thread(this::snapshot, "sampler");
        thread.setDaemon(true);
        thread.start();
    }

    void every(Duration next) {
        interval = next;
    }

    /** Returns null if there is nothing yet. */
    Report poll() {
        return reports.poll();
    }

    private void snapshot() {
        UsageMeter meter = new UsageMeter();
        try {
            for (boolean isOver = false; !isOver && !Thread.currentThread().isInterrupted(); ) {
                Report report = report(meter);
                isOver = report.isOver;
                reports.put(report);
                TimeUnit.NANOSECONDS.sleep(isOver ? 0 : interval.toNanos() - report.waitedNs);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private Report report(UsageMeter meter) {
        long beginNs = System.nanoTime();
        try {
            Snapshot snapshot = reader.snapshot();
            return new Report(meter.take(snapshot), "", false, System.nanoTime() - beginNs);
        } catch (ProcessSilent silent) {
            return new Report(null, silent.getMessage(), false, 0);
        } catch (ProcessEnded ended) {
            return new Report(null, ended.getMessage(), true, 0);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError failure) { // the screen would stand still
            return new Report(null, "this command has failed at it: " + failure, true, 0);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(1));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
