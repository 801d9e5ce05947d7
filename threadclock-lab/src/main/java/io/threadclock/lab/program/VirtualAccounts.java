// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * What virtual threads do, with accounts and without, in one JVM by turns. Each request is a {@link Work}, whether the threads are
 * accounted, and for how many ms; answers the ns of one. For JDK 21 and newer; compiled for older ones.
 */
public final class VirtualAccounts {
    private static final int BATCH = 1000;

    /** Some ms: as long as the scheduler lets a thread run, so that some units are interrupted and some are not. */
    private static final int UNIT_STEPS = 5_000_000;

    private static volatile long sink;

    private VirtualAccounts() {}

    /** By the names that results.json has for it. */
    public enum Work {
        YIELD("unmount + mount, yield"),
        PARK("unmount + mount, park and unpark"),
        START("virtual thread's start + end"),
        /** Unaccounted: that of a platform thread. */
        READ("reading of oneself"),
        /** A fixed number of steps, by more busy threads than CPUs. Unaccounted: the wall time for which they are mounted. */
        UNIT("unit of work, two busy carriers a CPU; stock: mounted wall time");

        private final String title;

        Work(String title) {
            this.title = title;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    public static String request(Work work, boolean isAccounted, long durationMs) {
        return work.name() + " " + isAccounted + " " + durationMs;
    }

    public static void main(String[] arguments) throws IOException {
        Answer.toEachLine(line -> {
            String[] words = line.split(" ");
            return Double.toString(
                    nsOf(Work.valueOf(words[0]), Boolean.parseBoolean(words[1]), Long.parseLong(words[2])));
        });
    }

    static double nsOf(Work work, boolean isAccounted, long durationMs) {
        try {
            ThreadFactory stock = stock();
            ThreadFactory factory = isAccounted ? VirtualThreads.factory(stock) : stock;
            long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
            return switch (work) {
                case YIELD -> ns(factory, () -> ns(endNs, Thread::yield));
                case PARK -> nsPerPark(factory, endNs);
                case START -> nsPerStart(factory, endNs);
                case UNIT -> nsOfUnit(factory, isAccounted ? ThreadClock::cpuTimeNs : System::nanoTime, endNs);
                case READ -> ns(isAccounted ? factory : Thread::new, () -> ns(endNs, ThreadClock::cpuTimeNs));
            };
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
    }

    private interface Measurement {
        double ns();
    }

    private static double ns(ThreadFactory factory, Measurement measurement) throws InterruptedException {
        double[] ns = new double[1];
        Thread thread = factory.newThread(() -> ns[0] = measurement.ns());
        thread.start();
        thread.join();
        return ns[0];
    }

    private static double ns(long endNs, Runnable once) {
        long count = 0;
        long nowNs;
        long beginNs = System.nanoTime();
        do {
            for (int i = 0; i < BATCH; i++) {
                once.run();
            }
            count += BATCH;
            nowNs = System.nanoTime();
        } while (nowNs - endNs < 0);
        return (double) (nowNs - beginNs) / count;
    }

    /** Two threads that wake each other by turns: two unmounts and mounts a turn. */
    private static double nsPerPark(ThreadFactory factory, long endNs) throws InterruptedException {
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
        TimeUnit.NANOSECONDS.sleep(endNs - beginNs);
        int count = turns.getAndSet(-1);
        long elapsedNs = System.nanoTime() - beginNs;
        for (Thread player : players) {
            LockSupport.unpark(player);
            player.join();
        }
        return (double) elapsedNs / Math.max(1, count);
    }

    private static double nsPerStart(ThreadFactory factory, long endNs) throws InterruptedException {
        long count = 0;
        long nowNs;
        long beginNs = System.nanoTime();
        do {
            CountDownLatch ended = new CountDownLatch(BATCH);
            for (int i = 0; i < BATCH; i++) {
                factory.newThread(ended::countDown).start();
            }
            ended.await();
            count += BATCH;
            nowNs = System.nanoTime();
        } while (nowNs - endNs < 0);
        return (double) (nowNs - beginNs) / count;
    }

    /** By a clock that is read before each unit and after it; all of them are mounted in between. */
    private static double nsOfUnit(ThreadFactory factory, LongSupplier clockNs, long endNs) throws InterruptedException {
        LongAdder sumNs = new LongAdder();
        LongAdder units = new LongAdder();
        Thread[] threads = new Thread[2 * Runtime.getRuntime().availableProcessors()];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = factory.newThread(() -> {
                do {
                    long beginNs = clockNs.getAsLong();
                    sink = steps(UNIT_STEPS);
                    sumNs.add(clockNs.getAsLong() - beginNs);
                    units.increment();
                    Thread.yield();
                } while (System.nanoTime() - endNs < 0);
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return (double) sumNs.sum() / units.sum();
    }

    private static long steps(int count) {
        long state = sink;
        for (int i = 0; i < count; i++) {
            state = state * 6364136223846793005L + i;
        }
        return state;
    }

    private static ThreadFactory stock() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory)
                    Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException | InvocationTargetException tooOld) {
            throw new IllegalStateException("virtual threads need JDK 21 or newer", tooOld);
        }
    }
}
