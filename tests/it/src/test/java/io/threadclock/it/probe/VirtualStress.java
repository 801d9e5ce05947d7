// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs many measured virtual threads, as many as a property says, which yield, park, sleep, wait, are pinned and
 * interrupted at random, and read themselves all the time; a platform thread reads all of them. No reading is less than
 * an earlier one, nothing is counted twice, and no time of a carrier between two mounts is counted.
 */
public final class VirtualStress {
    private static final int COUNT = Integer.getInteger("threadclock.it.threads", 200);
    private static final int LIVING = 500;
    private static final int ROUNDS = 10;
    private static final int COLLECT_EACH = 5_000;

    private final LongAdder readingsByOthers = new LongAdder();
    private final AtomicReference<String> firstBreach = new AtomicReference<>();
    private final AtomicLong sumNs = new AtomicLong();
    private final AtomicReferenceArray<Told> living = new AtomicReferenceArray<>(LIVING);
    private final Semaphore room = new Semaphore(LIVING);
    private volatile boolean isOver;
    private long carriersNs;

    /** Whether each thread measures itself when it has begun; otherwise the factory does. */
    private boolean measureThemselves;

    private long workNs;

    /**
     * What carriers do between mounts of a ms is 2 % of their time on a machine that has 15 runnable threads per CPU.
     */
    void haveAllTimeOfTheirCarriersIfTheyWork() throws InterruptedException {
        workNs = 1_000_000;
        run();
        assertThat((double) sumNs.get() / carriersNs)
                .as("ns of all virtual threads, of which each works for a ms before anything else, / their carriers'")
                .isBetween(0.9, 1.0);
    }

    void areOneSequence() throws InterruptedException {
        run();
    }

    void areOneSequenceIfTheyMeasureThemselves() throws InterruptedException {
        measureThemselves = true;
        run();
    }

    private void run() throws InterruptedException {
        assertThat(VirtualThreads.areMeasurable()).as("areMeasurable()").isTrue();
        ThreadFactory factory = measureThemselves ? ReflectedVirtualThreads::unstarted : VirtualThreads.factory();
        long carriersBeforeNs = carriersNs();
        Thread other = new Thread(this::readAll, "other");
        other.start();
        Thread attaching = new Thread(this::attachAndDetach, "attaching");
        attaching.start();
        CountDownLatch ended = new CountDownLatch(COUNT);
        for (int i = 0; i < COUNT; i++) {
            room.acquire();
            Told told = new Told(i);
            told.thread = factory.newThread(() -> work(told, ended));
            if (!measureThemselves) {
                living.set(i % LIVING, told);
            }
            told.thread.start();
            if (i % COLLECT_EACH == 0) {
                System.gc();
            }
        }
        ended.await();
        carriersNs = carriersNs() - carriersBeforeNs; // now, because idle ones end after 30 s
        isOver = true;
        other.join();
        attaching.join();
        assertThat(readingsByOthers.sum()).as("readings by another thread").isPositive();
        assertThat(firstBreach.get())
                .as("first reading before one that had ended, or negative")
                .isNull();
        assertThat(sumNs.get())
                .as("ns of all virtual threads, of their carriers'")
                .isBetween(1L, carriersNs);
    }

    private void work(Told told, CountDownLatch ended) {
        try {
            if (measureThemselves && VirtualThreads.measureCurrent()) {
                living.set(told.number % LIVING, told);
            }
            Random random = new Random(told.number);
            for (int round = 0; round < ROUNDS; round++) {
                told.check(ThreadClock::read);
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
        while (ThreadClock.cpuTimeNs() - beginNs < workNs) {}
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
            Thread.interrupted();
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
                firstBreach.compareAndSet(null, before + ", then " + now + " by " + Thread.currentThread());
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
