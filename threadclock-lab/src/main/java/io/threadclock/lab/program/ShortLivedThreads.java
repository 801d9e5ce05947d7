// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.ThreadClock;
import io.threadclock.lab.program.Breaches.Breach;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Threads of a soak that start, ask for their times, and end. */
final class ShortLivedThreads {
    private ShortLivedThreads() {}

    /** Threads that start, read their times, and end; after that others still ask for them. */
    static final class Platform implements SoakProgram.Step {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
        private static final int AT_ONCE = 4;
        private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);
        private static final long NOT_AVAILABLE = -1;

        private final Breaches breaches;

        Platform(Breaches breaches) {
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
                new OwnReader(breaches, new ObservedThread(breaches)).read();
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

    /**
     * Virtual threads that ask for their times, which the kernel does not have. Uses reflection, because JDK 17 has
     * none.
     */
    static final class Virtual implements SoakProgram.Step {
        private static final Optional<Method> START = Arrays.stream(Thread.class.getMethods())
                .filter(method -> method.getName().equals("startVirtualThread"))
                .findFirst();

        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
        private static final int AT_ONCE = 8;
        private static final int YIELDS = 20;
        private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(5);
        private static final long NOT_AVAILABLE = -1;

        private final Breaches breaches;

        Virtual(Breaches breaches) {
            this.breaches = breaches;
        }

        static boolean areAvailable() {
            return START.isPresent();
        }

        @Override
        public void take() throws Exception {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                threads.add((Thread) START.orElseThrow().invoke(null, (Runnable) this::ask));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            LockSupport.parkNanos(PAUSE_NS);
        }

        private void ask() {
            for (int i = 0; i < YIELDS; i++) {
                breaches.reading();
                long cpuNs = THREADS.getCurrentThreadCpuTime();
                long userNs = THREADS.getCurrentThreadUserTime();
                breaches.check(cpuNs != NOT_AVAILABLE, Breach.WRONG_ANSWER, "CPU time of a virtual thread", cpuNs);
                breaches.check(userNs != NOT_AVAILABLE, Breach.WRONG_ANSWER, "user time of a virtual thread", userNs);
                Thread.yield();
            }
            try {
                breaches.add(Breach.WRONG_ANSWER, "the library in a virtual thread: " + ThreadClock.cpuTimeNs());
            } catch (UnsupportedOperationException asItShould) {
                breaches.reading();
            }
        }
    }
}
