// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import io.threadclock.ThreadClock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads that ask for their times, of which the kernel knows nothing. By reflection: JDK 17 has none. */
final class VirtualStep implements Actor.Step {
    private static final Optional<Method> START = Arrays.stream(Thread.class.getMethods())
            .filter(method -> method.getName().equals("startVirtualThread"))
            .findFirst();

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int AT_ONCE = 8;
    private static final int YIELDS = 20;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long NOT_AVAILABLE = -1;

    private final Breaches breaches;

    VirtualStep(Breaches breaches) {
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
