// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.threadclock.cli.export.ExportedMetric.Figure;
import io.threadclock.cli.process.CpuList;
import io.threadclock.cli.process.KernelFiles;
import io.threadclock.cli.process.OneOfMany;
import io.threadclock.cli.process.Refusal;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.threads.ProcessEnded;
import io.threadclock.cli.threads.ProcessSilent;
import io.threadclock.cli.threads.ThreadReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One JVM: takes a snapshot of its threads each interval, and when it is asked. It has a thread of its own, so that one
 * that does not answer keeps no other waiting. Thread-safe.
 */
final class ExportedJvm {
    /**
     * What cannot be done may be possible later: when it has started up, or somebody has changed what stood in the way.
     */
    private static final Duration RETRY = Duration.ofMinutes(1);

    /** It takes as long as a look at some hundred threads. */
    private static final long QUOTA_NS = TimeUnit.SECONDS.toNanos(15);

    private final Target target;
    private final JvmIdentity identity;
    private final Exporter.Readers readers;
    private final Duration interval;
    private final Exporter.Log log;
    private final Thread thread;
    private final JvmFigures figures = new JvmFigures();
    private String told = "";
    private String warned = "";
    private long quotaReadNs;

    private boolean isStopped;
    private boolean isAsked;
    private boolean isRead;
    private long lookedNs;

    ExportedJvm(Target target, Exporter.Readers readers, Duration interval, Exporter.Log log) {
        this.target = target;
        this.identity = JvmIdentity.of(target);
        this.readers = readers;
        this.interval = interval;
        this.log = log;
        thread = new Thread(this::run, "jvm-" + target.pid());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    Target target() {
        return target;
    }

    JvmIdentity identity() {
        return identity;
    }

    List<Figure> figures() {
        List<Figure> all = new ArrayList<>(figures.now());
        synchronized (this) {
            all.add(ExportedMetric.JVM_READ.figure(isRead ? 1 : 0));
        }
        return all;
    }

    boolean hasEnded() {
        return !thread.isAlive();
    }

    /** Nothing is left in the JVM when {@link #hasEnded}. */
    synchronized void stop() {
        isStopped = true;
        notifyAll();
    }

    void awaitEnd(Duration atMost) {
        try {
            thread.join(atMost.toMillis());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks for a look, if the last one was before that moment. One that does not answer is not asked. */
    synchronized void askIfOlder(long thanNs) {
        if (isRead && lookedNs - thanNs < 0) {
            isAsked = true;
            notifyAll();
        }
    }

    /** Returns when it has looked, or at that moment. */
    synchronized void awaitLook(long untilNs) {
        while (isAsked && await(untilNs)) {}
    }

    /** False if the time is over, or somebody wants this thread to end. */
    private boolean await(long untilNs) {
        try {
            long leftNs = untilNs - System.nanoTime();
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
            return leftNs > 0;
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized void looked(boolean hasAnswered) {
        isRead = hasAnswered;
        isAsked = false;
        lookedNs = System.nanoTime();
        notifyAll();
    }

    /** True if this is to stop. Ends early if a look is asked for. */
    private synchronized boolean pause(Duration time) {
        long untilNs = System.nanoTime() + time.toNanos();
        while (!isStopped && !isAsked && await(untilNs)) {}
        return isStopped;
    }

    private void run() {
        try {
            boolean isOver = false;
            while (!isOver) {
                isOver = attempt();
            }
        } finally {
            looked(false);
            target.close();
        }
    }

    /** True if this is to stop, or the JVM has ended. */
    private boolean attempt() {
        try {
            return OneOfMany.about(target.pid(), this::read);
        } catch (Refusal refused) {
            looked(false);
            warnOnce(refused.getMessage());
            return pause(RETRY);
        }
    }

    /** True if this is to stop, or the JVM has ended. */
    private boolean read() {
        if (target.hasEnded()) {
            return true;
        }
        try {
            return readByBest();
        } catch (ProcessEnded | ProcessSilent gone) { // or the agent was detached
            looked(false);
            tellOnce(gone.getMessage());
            return pause(interval);
        }
    }

    /** True if this is to stop. From outside, if nothing better is possible; that is tried again. */
    private boolean readByBest() {
        try (ThreadReader reader = readers.best().apply(target)) {
            tellOnce(reader.coarseness().isEmpty() ? "read by the agent" : reader.coarseness());
            return readFor(Duration.ofNanos(Long.MAX_VALUE), reader);
        } catch (Refusal refused) {
            if (readers.best() == readers.fromOutside()) {
                throw refused;
            }
            warnOnce(refused.getMessage() + " It is read from outside.");
        }
        try (ThreadReader reader = readers.fromOutside().apply(target)) {
            return readFor(RETRY, reader);
        }
    }

    /** True if this is to stop. */
    private boolean readFor(Duration time, ThreadReader reader) {
        long beginNs = System.nanoTime();
        boolean isOver = false;
        while (!isOver && System.nanoTime() - beginNs < time.toNanos()) {
            look(reader);
            isOver = pause(interval);
        }
        return isOver;
    }

    private void look(ThreadReader reader) {
        try {
            figures.add(reader.snapshot());
            readConfines();
            looked(true);
        } catch (ProcessSilent silent) {
            looked(false);
            tellOnce(silent.getMessage());
        }
    }

    /** They may be set, or lifted, at any time. */
    private void readConfines() {
        long nowNs = System.nanoTime();
        if (quotaReadNs == 0 || nowNs - quotaReadNs >= QUOTA_NS) {
            quotaReadNs = nowNs;
            figures.confine(
                    CpuList.allowed(target.files()),
                    target.files().quota(KernelFiles.SYSTEM).tightest());
        }
    }

    private void tellOnce(String line) {
        if (!line.equals(told)) {
            told = line;
            log.out().accept(about(line));
        }
    }

    private void warnOnce(String line) {
        if (!line.equals(warned)) {
            warned = line;
            log.err().accept(about(line));
        }
    }

    private String about(String line) {
        return identity.program() + ": " + line + " (process " + target.pid() + ")";
    }
}
