// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.Collections;
import java.util.List;

/**
 * The cost of this JVM's threads between two {@link ThreadsSnapshot}. A thread that started in between counts from its
 * start, unless it {@linkplain ThreadSample#continues continues} an earlier Java thread. A thread that ended in between
 * is missing, because nobody has read its last times. Immutable.
 *
 * @since 0.1
 */
public final class IntervalUsage {
    private final long wallTimeNs;
    private final List<ThreadUsage> threads;
    private final List<ThreadUsage> virtualThreads;

    IntervalUsage(long wallTimeNs, List<ThreadUsage> threads, List<ThreadUsage> virtualThreads) {
        this.wallTimeNs = wallTimeNs;
        this.threads = Collections.unmodifiableList(threads);
        this.virtualThreads = Collections.unmodifiableList(virtualThreads);
    }

    /** {@return the interval's length, in ns; ≥ 0} */
    public long wallTimeNs() {
        return wallTimeNs;
    }

    /** {@return usage of each platform thread, in the order of the later snapshot; unmodifiable} */
    public List<ThreadUsage> threads() {
        return threads;
    }

    /**
     * {@return usage of each virtual thread of the later snapshot; unmodifiable} Their time is part of their carriers'
     * time in {@link #threads()}, so the sums of this class do not add it.
     */
    public List<ThreadUsage> virtualThreads() {
        return virtualThreads;
    }

    /** {@return CPU time of all platform threads, in ns} */
    public long cpuTimeNs() {
        return threads.stream().mapToLong(ThreadUsage::cpuTimeNs).sum();
    }

    /** {@return user time of all of them, in ns; from 0 to the CPU time} */
    public long userTimeNs() {
        return threads.stream().mapToLong(ThreadUsage::userTimeNs).sum();
    }

    /** {@return system time of all of them, in ns; from 0 to the CPU time} */
    public long systemTimeNs() {
        return cpuTimeNs() - userTimeNs();
    }

    @Override
    public String toString() {
        return threads.size() + " threads in " + wallTimeNs + " ns: " + new CpuTimes(cpuTimeNs(), userTimeNs());
    }
}
