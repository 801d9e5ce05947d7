// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** What a virtual thread pays for a clock, or for the agent. Each call by JMH starts some, which do much. */
@Warmup(iterations = 12, time = 40, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 11, time = 40, timeUnit = TimeUnit.MILLISECONDS)
public class VirtualThread extends Measured {
    /** So that a virtual thread stays on one CPU. */
    static final List<String> ONE_CARRIER =
            List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");

    private static final int TIMES = 10_000;
    /** So many that the start of a thread does not matter. */
    private static final int READS = 1_000_000;

    /** As many as this sleep at once, so that the carrier always has one to run. */
    private static final int SLEEPERS = 100;

    private ThreadFactory factory;

    @Setup
    public void create() {
        factory = clock.equals("library") ? Thread::new : factory(clock.equals("measured"));
    }

    @Benchmark
    @OperationsPerInvocation(TIMES)
    public void threadYield() {
        run(1, thread -> repeat(TIMES, Thread::yield));
    }

    /** Two threads wake each other in turn. */
    @Benchmark
    @OperationsPerInvocation(TIMES)
    public void park() {
        Semaphore[] turns = {new Semaphore(1), new Semaphore(0)};
        run(
                2,
                thread -> repeat(TIMES / 2, () -> {
                    turns[thread].acquireUninterruptibly();
                    turns[1 - thread].release();
                }));
    }

    /** They sleep briefly; but one that sleeps for a few ns is over before it is unmounted. */
    @Benchmark
    @OperationsPerInvocation(TIMES)
    public void sleep() {
        run(SLEEPERS, thread -> repeat(TIMES / SLEEPERS, () -> LockSupport.parkNanos(1000)));
    }

    @Benchmark
    @OperationsPerInvocation(TIMES)
    public void startAndEnd() {
        run(TIMES, thread -> {});
    }

    /** With the clock "library", a platform thread. */
    @Benchmark
    @OperationsPerInvocation(READS)
    public void readItself() {
        run(1, thread -> repeat(READS, ThreadClock::cpuTimeNs));
    }

    private static void repeat(int times, Runnable task) {
        for (int i = 0; i < times; i++) {
            task.run();
        }
    }

    private void run(int threads, IntConsumer task) {
        Semaphore ended = new Semaphore(0);
        for (int i = 0; i < threads; i++) {
            int thread = i;
            Thread started = factory.newThread(() -> {
                task.accept(thread);
                ended.release();
            });
            started.start();
        }
        ended.acquireUninterruptibly(threads);
    }

    /** Virtual threads need JDK 21 or newer; this is compiled for older ones. */
    static ThreadFactory factory(boolean isMeasured) {
        if (isMeasured && !VirtualThreads.areMeasurable()) {
            throw new IllegalStateException(VirtualThreads.explanation());
        }
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            ThreadFactory stock = (ThreadFactory) type.getMethod("factory").invoke(builder);
            return isMeasured ? VirtualThreads.factory(stock) : stock;
        } catch (ReflectiveOperationException tooOld) {
            throw new IllegalStateException("virtual threads need JDK 21 or newer", tooOld);
        }
    }
}
