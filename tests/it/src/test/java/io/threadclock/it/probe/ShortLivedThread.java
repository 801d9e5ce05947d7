// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A thread that uses much CPU time or hardly any, waits to be released, and ends. This makes it possible to judge what
 * anybody is told of it: another thread's time would be too large or too small.
 */
final class ShortLivedThread {
    /** The CPU time of a worker. */
    private static final long WORK_MS = 20;
    /** More than starting and ending costs, and less than a worker's time. */
    private static final long IDLER_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** A worker that shares its CPU with others still counts only its own CPU time. */
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
    private volatile long bookedAtEndNs;
    private volatile boolean atRest;
    private volatile boolean leaving;
    private volatile boolean ended;

    ShortLivedThread(boolean works, boolean readsItself) {
        this.works = works;
        this.readsItself = readsItself;
    }

    /** The id, which is known before it has started. */
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
        bookedAtEndNs = KernelAccount.cpuNs();
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

    /** The state before a reading, which no answer may contradict. */
    State state() {
        return ended ? State.ENDED : atRest && !leaving ? State.AT_REST : State.PASSING;
    }

    /** Whether {@code cpuNs} is wrong. {@code before} is the state before the call, and the call is over. */
    boolean isContradictedByCpuTime(State before, long cpuNs) {
        if (isAtRestSince(before)) {
            return cpuNs < workedNs || exceeds(cpuNs);
        }
        return isContradicted(before, cpuNs);
    }

    /** The same for user time, of which the kernel may count less than there was. */
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

    /**
     * If the machine is held up and the kernel does not tell, starting a thread takes long by the kernel's account,
     * too.
     */
    private long bookedNs() {
        try {
            return KernelAccount.cpuNsOf(tid);
        } catch (UncheckedIOException gone) {
            return bookedAtEndNs;
        }
    }

    private boolean isAtRestSince(State before) {
        return before == State.AT_REST && state() == State.AT_REST;
    }

    enum State {
        /** Starting, working or ending: the answer is -1 or a time of its own. */
        PASSING,
        /** The answer is a time of its own. */
        AT_REST,
        /** The answer is -1. */
        ENDED
    }
}
