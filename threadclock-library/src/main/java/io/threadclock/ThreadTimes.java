// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot of the times of all threads of this JVM. The difference of two snapshots is the cost in between.
 *
 * <pre>{@code
 * ThreadTimes before = ThreadTimes.snapshot();
 * TimeUnit.SECONDS.sleep(1);
 * ThreadTimes.snapshot().diff(before).threads().forEach(System.out::println);
 * }</pre>
 *
 * <p>It has the threads that Java knows: not the JVM's own (garbage collection, compilation), and no virtual threads,
 * but their carriers. Threads are read one after the other, each in one consistent reading, which never contradicts
 * what a thread reads of itself. Immutable.
 */
public final class ThreadTimes {
    private final long takenAtNs;
    private final List<ThreadSample> threads;

    private ThreadTimes(long takenAtNs, List<ThreadSample> threads) {
        this.takenAtNs = takenAtNs;
        this.threads = Collections.unmodifiableList(threads);
    }

    /**
     * {@return a reading of all living threads} Costs about one system call for each idle thread, and two more for each
     * thread that has run; allocates the samples. The first call also finds the threads. Thread-safe.
     *
     * <p>Where the kernel forbids the process to find its threads ({@code process_vm_readv}), {@code ThreadMXBean} is
     * asked for the threads that are not known; without the module java.management they are left out.
     *
     * @throws ClockUnavailableException if {@link ThreadClock#isSupported()} is false and nobody has fallen back on
     *     {@code ThreadMXBean}, or the threads cannot be listed
     */
    public static ThreadTimes snapshot() {
        StockClock fallback = ThreadClock.stockClockUnlessSupported();
        Thread[] all = fallback == null ? NativeThreads.all() : null;
        long takenAtNs = System.nanoTime();
        if (all != null) {
            return new ThreadTimes(takenAtNs, samplesOf(all, takenAtNs));
        }
        StockClock stock = fallback != null ? fallback : Stock.CLOCK;
        if (stock == null) {
            throw new ClockUnavailableException(
                    "Listing the threads: this JVM does it in a way that threadclock does not"
                            + " know, and has no java.management to ask instead. Add that module, and report the JDK's version.");
        }
        return new ThreadTimes(takenAtNs, stock.samples(takenAtNs));
    }

    /** {@return {@link System#nanoTime()} when it was begun} */
    public long takenAtNs() {
        return takenAtNs;
    }

    /** {@return one sample for each thread, in no particular order; unmodifiable} */
    public List<ThreadSample> threads() {
        return threads;
    }

    /**
     * {@return the sample of one thread; empty if it was not alive} Searches all samples.
     *
     * @param threadId the Java thread id
     */
    public Optional<ThreadSample> thread(long threadId) {
        return threads.stream().filter(sample -> sample.threadId() == threadId).findFirst();
    }

    /**
     * {@return what the threads of this snapshot have cost since an earlier one}
     *
     * @param earlier of the same JVM
     * @throws IllegalArgumentException if {@code earlier} was taken after this
     */
    public IntervalUsage diff(ThreadTimes earlier) {
        long wallTimeNs = takenAtNs - earlier.takenAtNs;
        if (wallTimeNs < 0) {
            throw new IllegalArgumentException("Subtracting a snapshot from one that was taken " + -wallTimeNs
                    + " ns before it. Call diff() on the later one.");
        }
        Map<Long, ThreadSample> byId = new HashMap<>(2 * earlier.threads.size());
        Map<Integer, ThreadSample> byTid = new HashMap<>(2 * earlier.threads.size());
        earlier.threads.forEach(sample -> byId.put(sample.threadId(), sample));
        earlier.threads.forEach(sample -> byTid.put(sample.tid(), sample));
        List<ThreadUsage> usages = new ArrayList<>(threads.size());
        for (ThreadSample sample : threads) {
            ThreadSample before = byId.getOrDefault(sample.threadId(), byTid.get(sample.tid()));
            usages.add(usage(before, sample, wallTimeNs));
        }
        return new IntervalUsage(wallTimeNs, usages);
    }

    @Override
    public String toString() {
        return threads.size() + " threads at " + takenAtNs + " ns";
    }

    /** A thread that continues no earlier one has started since. */
    private static ThreadUsage usage(ThreadSample before, ThreadSample now, long wallTimeNs) {
        return before == null || !now.continues(before)
                ? new ThreadUsage(now, now.cpuTimeNs(), now.userTimeNs(), wallTimeNs)
                : new ThreadUsage(
                        now, now.cpuTimeNs() - before.cpuTimeNs(), now.userTimeNs() - before.userTimeNs(), wallTimeNs);
    }

    private static List<ThreadSample> samplesOf(Thread[] all, long takenAtNs) {
        long[] figures = new long[NativeThreads.LONGS * all.length];
        NativeThreads.read(all, figures);
        List<ThreadSample> samples = new ArrayList<>(all.length);
        for (int i = 0; i < all.length; i++) {
            ThreadSample sample = sample(all[i], figures, NativeThreads.LONGS * i, takenAtNs);
            if (sample != null) {
                samples.add(sample);
            }
        }
        return samples;
    }

    /** Null if the thread has ended, or cannot be read. */
    private static ThreadSample sample(Thread thread, long[] figures, int at, long takenAtNs) {
        long id = figures[at + NativeThreads.ID];
        int tid = (int) figures[at + NativeThreads.TID];
        long cpuNs = figures[at + NativeThreads.CPU];
        long userNs = figures[at + NativeThreads.USER];
        if (cpuNs >= 0) {
            return new ThreadSample(id, tid, thread.getName(), thread.getState(), cpuNs, userNs, takenAtNs);
        }
        return cpuNs == NativeThreads.ENDED || Stock.CLOCK == null
                ? null
                : Stock.CLOCK.sample(id, tid, thread.getName(), thread.getState(), takenAtNs);
    }

    /** This class is loaded when it is first needed, because loading java.management takes time. */
    private static final class Stock {
        static final StockClock CLOCK = StockClock.find();
    }
}
