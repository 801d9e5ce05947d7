// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A thread that uses up much CPU time or next to none, waits to be let go, and ends; so that what anybody is told of it
 * can be judged: another thread's figure would be too great or too small.
 */
final class ShortLivedThread {
    /** What a worker uses up. */
    private static final long WORK_MS = 20;
    /** More than starting and ending costs, and less than a worker's figure. */
    private static final long IDLER_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** A worker that shares its CPU with others still counts its own CPU time alone. */
    private static final long WORKER_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(4 * WORK_MS);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long NOT_AVAILABLE = -1;

    private final boolean works;
    private final boolean readsItself;
    private final Thread thread = new Thread(this::run);
    private final CountDownLatch workIsDone = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final long stolenBeforeNs = StolenTime.ns();
    private long workedNs;
    private int tid;
    private volatile boolean atRest;
    private volatile boolean leaving;
    private volatile boolean ended;

    ShortLivedThread(boolean works, boolean readsItself) {
        this.works = works;
        this.readsItself = readsItself;
    }

    /** Known before it has started. */
    long id() {
        return thread.getId();
    }

    /** Returns once it has done its work and waits. */
    void start() throws InterruptedException {
        thread.start();
        workIsDone.await();
        atRest = true;
    }

    /** The kernel's id of it, once it has started. */
    int tid() {
        return tid;
    }

    private void run() {
        tid = KernelAccount.tid();
        workedNs = works ? Work.spin(WORK_MS) : 0;
        if (readsItself) {
            THREADS.getCurrentThreadCpuTime();
            THREADS.getCurrentThreadUserTime();
        }
        workIsDone.countDown();
        try {
            letGo.await();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns once the JVM does not list it any more, which may be a moment after join(). */
    void end() throws InterruptedException {
        leaving = true;
        letGo.countDown();
        thread.join();
        while (THREADS.getThreadInfo(id()) != null) {
            Thread.yield();
        }
        ended = true;
    }

    /** To be asked before a reading: what no answer may contradict. */
    State state() {
        return ended ? State.ENDED : atRest && !leaving ? State.AT_REST : State.PASSING;
    }

    /** Whether {@code cpuNs} is a lie: {@code before} is its state before the call, and now is after it. */
    boolean isContradictedByCpuTime(State before, long cpuNs) {
        if (isAtRestSince(before)) {
            return cpuNs < workedNs || exceeds(cpuNs);
        }
        return isContradicted(before, cpuNs);
    }

    /** The same for user time, of which the kernel may know less than there was. */
    boolean isContradictedByUserTime(State before, long userNs) {
        if (isAtRestSince(before)) {
            return userNs < 0 || exceeds(userNs);
        }
        return isContradicted(before, userNs);
    }

    private boolean isContradicted(State before, long ns) {
        return ns != NOT_AVAILABLE && (before == State.ENDED || ns < 0 || exceeds(ns));
    }

    private boolean exceeds(long ns) {
        long limitNs = works ? WORKER_LIMIT_NS : IDLER_LIMIT_NS;
        return ns > limitNs && ns > limitNs + bookedNs() + StolenTime.sinceNs(stolenBeforeNs);
    }

    /** Where the machine is held up and the kernel does not tell, to start a thread takes long by its account, too. */
    private long bookedNs() {
        try {
            return KernelAccount.cpuNsOf(tid);
        } catch (UncheckedIOException gone) {
            return 0;
        }
    }

    private boolean isAtRestSince(State before) {
        return before == State.AT_REST && state() == State.AT_REST;
    }

    enum State {
        /** Starting, working or ending: -1 or a figure of its own. */
        PASSING,
        /** A figure of its own. */
        AT_REST,
        /** -1. */
        ENDED
    }
}
