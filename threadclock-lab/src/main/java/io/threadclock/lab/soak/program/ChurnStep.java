// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Threads that start, read their times, and end; then they are asked for all the same. */
final class ChurnStep implements Actor.Step {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int AT_ONCE = 4;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long NOT_AVAILABLE = -1;

    private final Breaches breaches;

    ChurnStep(Breaches breaches) {
        this.breaches = breaches;
    }

    @Override
    public void take() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            threads.add(new Thread(this::readOnce, "churn"));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        threads.forEach(this::askForEnded);
        LockSupport.parkNanos(PAUSE_NS);
    }

    private void readOnce() {
        try {
            new OwnReader(breaches, new Target(breaches)).read();
        } catch (RuntimeException | LinkageError thrown) {
            breaches.add(Breach.EXCEPTION, "churn: " + thrown);
        }
    }

    /** The JVM may list it a moment longer than join() waits. */
    private void askForEnded(Thread thread) {
        while (THREADS.getThreadInfo(thread.getId()) != null) {
            Thread.yield();
        }
        breaches.reading();
        long cpuNs = THREADS.getThreadCpuTime(thread.getId());
        long userNs = THREADS.getThreadUserTime(thread.getId());
        breaches.check(cpuNs != NOT_AVAILABLE, Breach.WRONG_ANSWER, "CPU time of an ended thread", cpuNs);
        breaches.check(userNs != NOT_AVAILABLE, Breach.WRONG_ANSWER, "user time of an ended thread", userNs);
    }
}
