// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.VirtualThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs many measured virtual threads, as many as the first argument says, which yield, park, sleep, wait, are pinned and
 * interrupted at random, and read themselves all the time; a platform thread reads all of them. Prints how often a
 * reading was less than an earlier one, and what was used. The third argument is the ms that a thread works before each of
 * these, if it does.
 */
public final class MeasuredStressProbe {
    private static final int LIVING = 500;
    private static final int ROUNDS = 10;
    private static final int COLLECT_EACH = 5_000;

    private final LongAdder readings = new LongAdder();
    private final LongAdder readingsByOthers = new LongAdder();
    private final LongAdder breaches = new LongAdder();
    private final AtomicReference<String> firstBreach = new AtomicReference<>("none");
    private final AtomicLong sumNs = new AtomicLong();
    private final AtomicReferenceArray<Told> living = new AtomicReferenceArray<>(LIVING);
    private final Semaphore room = new Semaphore(LIVING);
    private volatile boolean isOver;

    /** Whether each thread measures itself when it has begun; otherwise the factory does. */
    private final boolean measureThemselves;

    private final long workNs;

    private MeasuredStressProbe(boolean measureThemselves, long workMs) {
        this.measureThemselves = measureThemselves;
        this.workNs = TimeUnit.MILLISECONDS.toNanos(workMs);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Fact.print("measurable", VirtualThreads.areMeasurable());
        long workMs = arguments.length > 2 ? Long.parseLong(arguments[2]) : 0;
        new MeasuredStressProbe(arguments[1].equals("current"), workMs).print(Integer.parseInt(arguments[0]));
    }

    private void print(int count) throws InterruptedException {
        ThreadFactory factory = measureThemselves ? ReflectedVirtualThreads::unstarted : VirtualThreads.factory();
        long carriersBeforeNs = carriersNs();
        Thread other = new Thread(this::readAll, "other");
        other.start();
        Thread attaching = new Thread(this::attachAndDetach, "attaching");
        attaching.start();
        CountDownLatch ended = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            room.acquire();
            Told told = new Told(i);
            Thread thread = factory.newThread(() -> work(told, ended));
            told.thread = thread;
            if (!measureThemselves) {
                living.set(i % LIVING, told);
            }
            thread.start();
            if (i % COLLECT_EACH == 0) {
                System.gc();
            }
        }
        ended.await();
        long carriersNs = carriersNs() - carriersBeforeNs; // now, because idle ones end after 30 s
        isOver = true;
        other.join();
        attaching.join();
        Fact.print("readings", readings.sum());
        Fact.print("readingsByOthers", readingsByOthers.sum());
        Fact.print("breaches", breaches.sum());
        Fact.print("firstBreach", firstBreach.get());
        Fact.print("sumNs", sumNs.get());
        Fact.print("carriersNs", carriersNs);
    }

    private void work(Told told, CountDownLatch ended) {
        try {
            if (measureThemselves && VirtualThreads.measureCurrent()) {
                living.set(told.number % LIVING, told);
            }
            Random random = new Random(told.number);
            for (int round = 0; round < ROUNDS; round++) {
                told.check(ThreadClock::read);
                readings.increment();
                workFrom(ThreadClock.cpuTimeNs());
                disturb(random);
            }
            sumNs.addAndGet(told.check(ThreadClock::read).cpuTimeNs());
        } finally {
            room.release();
            ended.countDown();
        }
    }

    private void workFrom(long beginNs) {
        while (ThreadClock.cpuTimeNs() - beginNs < workNs) {
            readings.increment();
        }
    }

    private void disturb(Random random) {
        try {
            switch (random.nextInt(7)) {
                case 0:
                    LockSupport.parkNanos(1_000);
                    break;
                case 1:
                    Thread.sleep(1);
                    break;
                case 2:
                    synchronized (this) {
                        wait(1);
                    }
                    break;
                case 3:
                    pin();
                    break;
                case 4:
                    interruptAny(random);
                    break;
                default:
                    Thread.yield();
            }
        } catch (InterruptedException byAnother) {
            readings.increment();
        }
    }

    private static void pin() {
        synchronized (new Object()) {
            LockSupport.parkNanos(1_000);
            Thread.yield();
        }
    }

    private void interruptAny(Random random) {
        Told any = living.get(random.nextInt(LIVING));
        if (any != null) {
            any.thread.interrupt();
        }
    }

    private void readAll() {
        for (int i = 0; !isOver; i = (i + 1) % LIVING) {
            Told told = living.get(i);
            if (told != null) {
                told.check(() -> VirtualThreads.read(told.thread).get());
                readingsByOthers.increment();
            }
        }
    }

    /** Attaches and detaches, if the program is asked to; or others do it meanwhile. */
    private void attachAndDetach() {
        try {
            do {
                Gate.await("churning");
            } while (Boost.churns() && !isOver);
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    private static long carriersNs() {
        return ThreadsSnapshot.take().threads().stream()
                .filter(thread -> thread.name().matches("ForkJoinPool-1-worker-\\d+"))
                .mapToLong(ThreadSample::cpuTimeNs)
                .sum();
    }

    private interface Reading {
        CpuTimes take();
    }

    /** A thread, and the last time that was read of it, by itself or by others. */
    private final class Told {
        private final int number;
        private final AtomicReference<CpuTimes> last = new AtomicReference<>();
        private volatile Thread thread;

        Told(int number) {
            this.number = number;
        }

        CpuTimes check(Reading reading) {
            CpuTimes before = last.get();
            CpuTimes now = reading.take();
            if (now.cpuTimeNs() < 0 || before != null && !follows(before, now)) {
                breaches.increment();
                firstBreach.compareAndSet("none", before + ", then " + now + " by " + Thread.currentThread());
            }
            last.compareAndSet(before, now);
            return now;
        }

        private boolean follows(CpuTimes before, CpuTimes now) {
            long userNs = now.userTimeNs() - before.userTimeNs();
            return 0 <= userNs && userNs <= now.cpuTimeNs() - before.cpuTimeNs();
        }
    }
}
