// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import io.threadclock.cli.view.Look;
import io.threadclock.cli.view.ThreadView;
import io.threadclock.cli.view.ViewEnded;
import io.threadclock.cli.view.ViewSilent;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Looks again and again, by a thread of its own: a process that does not answer must not hold up the keys. */
final class Lookout implements AutoCloseable {
    private static final int KEPT = 2;

    /**
     * What came of a look.
     *
     * @param sample null: there is none
     * @param notice why; empty: there is one
     * @param isOver whether there will be no other
     * @param waitedNs how long the answer took
     */
    record Report(Sample sample, String notice, boolean isOver, long waitedNs) {}

    private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>(KEPT);
    private final ThreadView view;
    private final Thread thread;
    private volatile Duration interval;

    Lookout(ThreadView view, Duration interval) {
        this.view = view;
        this.interval = interval;
        thread = new Thread(this::look, "lookout");
        thread.setDaemon(true);
        thread.start();
    }

    void every(Duration next) {
        interval = next;
    }

    /** Null: nothing yet. */
    Report poll() {
        return reports.poll();
    }

    private void look() {
        Meter meter = new Meter();
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

    private Report report(Meter meter) {
        long beginNs = System.nanoTime();
        try {
            Look look = view.look();
            return new Report(meter.take(look), "", false, System.nanoTime() - beginNs);
        } catch (ViewSilent silent) {
            return new Report(null, silent.getMessage(), false, 0);
        } catch (ViewEnded ended) {
            return new Report(null, ended.getMessage(), true, 0);
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
