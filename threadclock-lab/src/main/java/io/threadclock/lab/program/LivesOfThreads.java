// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import io.threadclock.harness.Exchange;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs platform and virtual threads, the latter with and without accounts in turn, and answers the ns of one life or
 * mount. Virtual threads need JDK 21 or newer; this is compiled for older ones.
 */
public final class LivesOfThreads {
    /** The first JDK that has virtual threads. */
    public static final int OLDEST_WITH_VIRTUAL = 21;

    /** The options of its JVM: one carrier, so that a virtual thread stays on one CPU. */
    public static final String[] ONE_CARRIER = {
        "-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1"
    };

    private static final int BATCH = 1000;
    /** As many as this sleep at once, so that the carrier always has one to run. */
    private static final int SLEEPERS = 100;
    /** Short; but a sleep of a few ns is over before the thread is unmounted. */
    private static final long SLEEP_NS = 1000;

    private LivesOfThreads() {}

    /** The kinds of work, with their names in results.json. */
    public enum Work {
        YIELD("unmount + mount, yield"),
        PARK("unmount + mount, park and unpark"),
        SLEEP("unmount + mount, sleep"),
        START("virtual thread's start + end"),
        /** Where it is not accounted, a platform thread reads itself. */
        READ("reading of oneself"),
        /** A platform thread, which its starter joins. */
        START_AND_JOIN("thread start + end");

        private final String title;

        Work(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    public record Request(Work work, boolean isAccounted, long durationMs) {}

    public static void main(String[] arguments) throws IOException {
        Exchange.answerEach(Request.class, LivesOfThreads::ns);
    }

    static double ns(Request request) {
        long durationMs = request.durationMs();
        if (request.work() == Work.START_AND_JOIN) {
            return MeanTime.ns(durationMs, 1, () -> runToItsEnd(Thread::new, () -> {}));
        }
        ThreadFactory stock = virtual();
        ThreadFactory factory = request.isAccounted() ? VirtualThreads.factory(stock) : stock;
        return switch (request.work()) {
            case YIELD -> nsWithin(factory, durationMs, Thread::yield);
            case READ -> nsWithin(request.isAccounted() ? factory : Thread::new, durationMs, ThreadClock::cpuTimeNs);
            case PARK -> nsPerPark(factory, durationMs);
            case SLEEP -> nsPerSleep(factory, durationMs);
            default -> MeanTime.ns(durationMs, BATCH, () -> startAndAwait(factory));
        };
    }

    private static double nsWithin(ThreadFactory factory, long durationMs, Runnable once) {
        double[] ns = new double[1];
        runToItsEnd(
                factory,
                () -> ns[0] = MeanTime.ns(durationMs, BATCH, () -> {
                    for (int i = 0; i < BATCH; i++) {
                        once.run();
                    }
                }));
        return ns[0];
    }

    private static void runToItsEnd(ThreadFactory factory, Runnable task) {
        Thread thread = factory.newThread(task);
        thread.start();
        join(thread);
    }

    private static void startAndAwait(ThreadFactory factory) {
        CountDownLatch ended = new CountDownLatch(BATCH);
        for (int i = 0; i < BATCH; i++) {
            factory.newThread(ended::countDown).start();
        }
        Population.await(ended);
    }

    /** Two threads wake each other in turn: two unmounts and mounts per turn. */
    private static double nsPerPark(ThreadFactory factory, long durationMs) {
        AtomicInteger turns = new AtomicInteger();
        Thread[] players = new Thread[2];
        for (int i = 0; i < players.length; i++) {
            int own = i;
            players[i] = factory.newThread(() -> {
                while (turns.get() >= 0) {
                    int turn = turns.get();
                    if (turn >= 0 && turn % 2 == own) {
                        turns.compareAndSet(turn, turn + 1);
                        LockSupport.unpark(players[1 - own]);
                    } else {
                        LockSupport.park();
                    }
                }
            });
        }
        long beginNs = System.nanoTime();
        for (Thread player : players) {
            player.start();
        }
        sleep(durationMs);
        int count = turns.getAndSet(-1);
        long elapsedNs = System.nanoTime() - beginNs;
        for (Thread player : players) {
            LockSupport.unpark(player);
            join(player);
        }
        return (double) elapsedNs / Math.max(1, count);
    }

    /** Another thread of the JDK ends the sleeps. */
    private static double nsPerSleep(ThreadFactory factory, long durationMs) {
        LongAdder sleeps = new LongAdder();
        long beginNs = System.nanoTime();
        long endNs = beginNs + TimeUnit.MILLISECONDS.toNanos(durationMs);
        List<Thread> sleepers = new ArrayList<>();
        for (int i = 0; i < SLEEPERS; i++) {
            sleepers.add(factory.newThread(() -> {
                do {
                    sleepNs(SLEEP_NS);
                    sleeps.increment();
                } while (System.nanoTime() - endNs < 0);
            }));
        }
        sleepers.forEach(Thread::start);
        sleepers.forEach(LivesOfThreads::join);
        return (double) (System.nanoTime() - beginNs) / sleeps.sum();
    }

    private static void sleep(long durationMs) {
        sleepNs(TimeUnit.MILLISECONDS.toNanos(durationMs));
    }

    private static void sleepNs(long durationNs) {
        try {
            TimeUnit.NANOSECONDS.sleep(durationNs);
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
    }

    static ThreadFactory virtual() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ClassNotFoundException
                | NoSuchMethodException
                | IllegalAccessException
                | InvocationTargetException tooOld) {
            throw new IllegalStateException("virtual threads need JDK " + OLDEST_WITH_VIRTUAL + " or newer", tooOld);
        }
    }
}
