// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.lang.reflect.Constructor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Measured virtual threads on schedulers of our own, by reflection into java.lang: one that stops a carrier between handing a
 * thread that has yielded to the next carrier and the end of its mount; and one that runs a thread where it is submitted.
 */
public final class SchedulerProbe {
    private static final long UNIT_MS = 10;

    private SchedulerProbe() {}

    public static void main(String[] arguments) throws Exception {
        printStopped();
        printInline();
    }

    private static void printStopped() throws Exception {
        Stopping scheduler = new Stopping();
        Thread thread = unstarted(scheduler, () -> {
            Work.spin(UNIT_MS);
            CpuTimes onFirst = ThreadClock.read();
            scheduler.stopsNext = true;
            Thread.yield();
            CpuTimes onSecond = ThreadClock.read();
            Fact.print("stopped.isStopped", scheduler.isStopped);
            Fact.print("stopped.follows", follows(onFirst, onSecond));
            Work.spin(UNIT_MS);
            CpuTimes later = ThreadClock.read();
            Fact.print("stopped.workNs", later.cpuTimeNs() - onSecond.cpuTimeNs());
            scheduler.mayGoOn.countDown();
            Thread.yield();
            Fact.print("stopped.goesOn", follows(later, ThreadClock.read()));
        });
        VirtualThreads.measure(thread);
        thread.start();
        thread.join();
        Fact.print("stopped.allNs", VirtualThreads.cpuTimeNs(thread));
        scheduler.close();
    }

    private static boolean follows(CpuTimes before, CpuTimes now) {
        long userNs = now.userTimeNs() - before.userTimeNs();
        return 0 <= userNs && userNs <= now.cpuTimeNs() - before.cpuTimeNs();
    }

    /**
     * A thread that yields goes on inside of the mount that it has left. The JDK refuses a thread that another thread
     * submits.
     */
    private static void printInline() throws Exception {
        Executor inline = Runnable::run;
        Thread yielding = unstarted(inline, () -> {
            Work.spin(UNIT_MS);
            long beforeNs = ThreadClock.cpuTimeNs();
            Thread.yield();
            Fact.print("inline.yieldNs", ThreadClock.cpuTimeNs() - beforeNs);
        });
        VirtualThreads.measure(yielding);
        yielding.start();
        Fact.print("inline.allNs", VirtualThreads.cpuTimeNs(yielding));
        Thread inner = unstarted(inline, () -> Work.spin(UNIT_MS));
        VirtualThreads.measure(inner);
        Thread outer = unstarted(inline, () -> {
            Fact.print("inline.submission", Fact.answer(() -> {
                inner.start();
                return "started";
            }));
            Fact.print("inline.outer", Fact.kind(ThreadClock::cpuTimeNs));
        });
        VirtualThreads.measure(outer);
        outer.start();
        Fact.print("inline.inner", VirtualThreads.cpuTimeNs(inner));
    }

    static Thread unstarted(Executor scheduler, Runnable task) throws ReflectiveOperationException {
        Constructor<?> constructor =
                Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder").getDeclaredConstructor(Executor.class);
        constructor.setAccessible(true);
        return (Thread) Class.forName("java.lang.Thread$Builder")
                .getMethod("unstarted", Runnable.class)
                .invoke(constructor.newInstance(scheduler), task);
    }

    /** Two carriers by turns. */
    private static final class Stopping implements Executor {
        private final ExecutorService[] carriers = {
            Executors.newSingleThreadExecutor(), Executors.newSingleThreadExecutor()
        };
        private final CountDownLatch mayGoOn = new CountDownLatch(1);
        private volatile boolean stopsNext;
        private volatile boolean isStopped;
        private int turn;

        @Override
        public void execute(Runnable mount) {
            boolean stops = stopsNext;
            stopsNext = false;
            isStopped = stops;
            carriers[turn++ % carriers.length].execute(mount);
            if (stops) {
                try {
                    mayGoOn.await();
                } catch (InterruptedException nobodyDoes) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        void close() {
            for (ExecutorService carrier : carriers) {
                carrier.shutdown();
            }
        }
    }
}
