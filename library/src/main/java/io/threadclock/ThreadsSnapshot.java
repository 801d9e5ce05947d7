// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/**
 * A snapshot of the times of all threads of this JVM. The difference of two snapshots is the cost in between.
 *
 * <pre>{@code
 * ThreadsSnapshot before = ThreadsSnapshot.take();
 * TimeUnit.SECONDS.sleep(1);
 * ThreadsSnapshot.take().diff(before).threads().forEach(System.out::println);
 * }</pre>
 *
 * <p>It has the threads that Java knows: not the JVM's own (garbage collection, compilation), and the carriers of
 * virtual threads; virtual threads themselves, if they are measured and asked for, stand in a list of their own.
 * Threads are read one after the other, each in one consistent reading, which never contradicts what a thread reads of
 * itself. Immutable.
 *
 * @since 0.1
 */
public final class ThreadsSnapshot {
    private final long takenAtNs;
    private final List<ThreadSample> threads;
    private final List<ThreadSample> virtualThreads;

    private ThreadsSnapshot(long takenAtNs, List<ThreadSample> threads, List<ThreadSample> virtualThreads) {
        this.takenAtNs = takenAtNs;
        this.threads = Collections.unmodifiableList(threads);
        this.virtualThreads = Collections.unmodifiableList(virtualThreads);
    }

    /**
     * {@return a reading of all living threads} Costs about one system call for each idle thread, and two more for each
     * thread that has run; allocates the samples. The first call also finds the threads. Thread-safe.
     *
     * <p>Where the kernel forbids the process to find its threads ({@code process_vm_readv}), {@code ThreadMXBean} is
     * asked for the threads that are not known; without the module java.management they are left out.
     *
     * @throws ClockUnavailableException if {@link ThreadClock#isSupported()} is false and {@code ThreadMXBean} does not
     *     stand in, or the threads cannot be listed
     */
    public static ThreadsSnapshot take() {
        return take(0);
    }

    /**
     * {@return the same, and the virtual threads that have used the most CPU time} Only threads that are measured
     * ({@link VirtualThreads}) are considered, from when they were. It looks at every virtual thread of the JVM, one
     * after the other, and makes a system call for each that is mounted.
     *
     * <p>The JDK's own list is used, by which it dumps threads. With {@code -Djdk.trackAllThreads=false} it has only
     * the threads of executors and scopes. There are no virtual threads in a snapshot before Java 21, where
     * {@link VirtualThreads#areMeasurable()} is false, and in a JVM that lists them in a way that threadclock does not
     * know.
     *
     * @param virtualThreads how many of them at most; 0 for none
     * @throws IllegalArgumentException if {@code virtualThreads} is negative
     * @throws ClockUnavailableException as {@link #take()}
     */
    public static ThreadsSnapshot take(int virtualThreads) {
        if (virtualThreads < 0) {
            throw new IllegalArgumentException("Taking a snapshot with " + virtualThreads
                    + " virtual threads. The number says how many it may have at most; 0 is none.");
        }
        StockClock fallback = ThreadClock.stockClockUnlessSupported();
        Thread[] all = fallback == null ? NativeThreads.all() : null;
        long takenAtNs = System.nanoTime();
        if (all != null) {
            return new ThreadsSnapshot(takenAtNs, samplesOf(all, takenAtNs), virtualSamples(virtualThreads, takenAtNs));
        }
        StockClock stock = fallback != null ? fallback : Stock.CLOCK;
        if (stock == null) {
            throw new ClockUnavailableException(
                    "Listing the threads: this JVM does it in a way that threadclock does not"
                            + " know, and has no java.management to ask instead. Add that module, and report the JDK's version.");
        }
        return new ThreadsSnapshot(takenAtNs, stock.samples(takenAtNs), virtualSamples(virtualThreads, takenAtNs));
    }

    /** {@return {@link System#nanoTime()} when it was begun} */
    public long takenAtNs() {
        return takenAtNs;
    }

    /** {@return one sample for each platform thread, in no particular order; unmodifiable} */
    public List<ThreadSample> threads() {
        return threads;
    }

    /**
     * {@return one sample for each virtual thread that was asked for, most CPU time first; unmodifiable} Their time is
     * part of their carriers' time in {@link #threads()}.
     */
    public List<ThreadSample> virtualThreads() {
        return virtualThreads;
    }

    /**
     * {@return the sample of one thread; empty if it was not alive, or was not read} Searches all samples.
     *
     * @param threadId the Java thread id
     */
    public Optional<ThreadSample> thread(long threadId) {
        return Stream.concat(threads.stream(), virtualThreads.stream())
                .filter(sample -> sample.threadId() == threadId)
                .findFirst();
    }

    /**
     * {@return what the threads of this snapshot have cost since an earlier one}
     *
     * @param earlier of the same JVM
     * @throws IllegalArgumentException if {@code earlier} was taken after this
     */
    public IntervalUsage diff(ThreadsSnapshot earlier) {
        long wallTimeNs = takenAtNs - earlier.takenAtNs;
        if (wallTimeNs < 0) {
            throw new IllegalArgumentException("Subtracting a snapshot from one that was taken " + -wallTimeNs
                    + " ns before it. Call diff() on the later one.");
        }
        return new IntervalUsage(
                wallTimeNs,
                usages(earlier.threads, threads, wallTimeNs),
                usages(earlier.virtualThreads, virtualThreads, wallTimeNs));
    }

    private static List<ThreadUsage> usages(List<ThreadSample> earlier, List<ThreadSample> now, long wallTimeNs) {
        Map<Long, ThreadSample> byId = new HashMap<>(2 * earlier.size());
        Map<Integer, ThreadSample> byTid = new HashMap<>(2 * earlier.size());
        earlier.forEach(sample -> byId.put(sample.threadId(), sample));
        earlier.forEach(sample -> byTid.put(sample.tid(), sample));
        List<ThreadUsage> usages = new ArrayList<>(now.size());
        for (ThreadSample sample : now) {
            ThreadSample before = byId.getOrDefault(sample.threadId(), byTid.get(sample.tid()));
            usages.add(usage(before, sample, wallTimeNs));
        }
        return usages;
    }

    @Override
    public String toString() {
        String virtual = virtualThreads.isEmpty() ? "" : " and " + virtualThreads.size() + " virtual threads";
        return threads.size() + " threads" + virtual + " at " + takenAtNs + " ns";
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

    /** The virtual threads with the most CPU time. Only a thread that is among them so far costs a sample. */
    private static List<ThreadSample> virtualSamples(int most, long takenAtNs) {
        if (most == 0 || !ThreadContainers.areKnown()) {
            return Collections.emptyList();
        }
        Comparator<ThreadSample> byCpuTime = Comparator.comparingLong(ThreadSample::cpuTimeNs);
        PriorityQueue<ThreadSample> found = new PriorityQueue<>(byCpuTime);
        long[] timesNs = new long[2];
        ThreadContainers.forEachThread(thread -> {
            boolean isAmongThem = Measurability.mayHaveClock(thread)
                    && BootClocks.tell(thread, timesNs)
                    && (found.size() < most || timesNs[0] > found.peek().cpuTimeNs());
            if (isAmongThem) {
                found.add(new ThreadSample(
                        thread.getId(), 0, thread.getName(), thread.getState(), timesNs[0], timesNs[1], takenAtNs));
            }
            if (found.size() > most) {
                found.remove();
            }
        });
        List<ThreadSample> samples = new ArrayList<>(found);
        samples.sort(byCpuTime.reversed());
        return samples;
    }

    /**
     * Reads one thread, the calling one or another, platform or virtual; null if a platform thread has ended, or the
     * thread cannot be read. The reading forms one sequence with the thread's own readings.
     */
    static CpuTimes readOrNull(Thread thread) {
        try {
            if (thread == Thread.currentThread()) {
                return ThreadClock.canRead() ? ThreadClock.read() : null;
            }
            if (Measurability.hasCarrier(thread)) {
                return VirtualThreads.read(thread).orElse(null);
            }
            StockClock fallback = ThreadClock.stockClockUnlessSupported();
            ThreadSample sample = fallback == null
                    ? samplesOf(new Thread[] {thread}, 0).stream().findFirst().orElse(null)
                    : fallback.sample(thread.getId(), 0, thread.getName(), thread.getState(), 0);
            return sample == null ? null : new CpuTimes(sample.cpuTimeNs(), sample.userTimeNs());
        } catch (ClockUnavailableException | UnsupportedOperationException refused) {
            return null;
        }
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
                : Stock.CLOCK.sample(
                        id == 0 ? thread.getId() : id, tid, thread.getName(), thread.getState(), takenAtNs);
    }

    /** This class is loaded when it is first needed, because loading java.management takes time. */
    private static final class Stock {
        static final StockClock CLOCK = StockClock.find();
    }
}
