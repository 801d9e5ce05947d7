// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * The cost of the threads of one pool so far, by the last snapshot that was added to its {@link PoolAccumulator}.
 * Thread-safe; each figure is right by itself, while a snapshot is added, too.
 *
 * @since 0.1
 */
public final class PoolTimes {
    private final String name;
    private volatile long userTimeNs;
    private volatile long systemTimeNs;
    private volatile long runDelayNs;
    private volatile long notRunningNs;
    private volatile int threads;
    private int threadsFound;
    private long lastThreadNs;

    PoolTimes(String name) {
        this.name = name;
    }

    /** {@return the name of the pool, which no other pool of the accumulator has} */
    public String name() {
        return name;
    }

    /** {@return user time in ns; never less than before} */
    public long userTimeNs() {
        return userTimeNs;
    }

    /** {@return system time in ns; never less than before} */
    public long systemTimeNs() {
        return systemTimeNs;
    }

    /**
     * {@return time in ns in which threads wanted to run and had no CPU; that of threads of which it is unknown is not
     * in it}
     */
    public long runDelayNs() {
        return runDelayNs;
    }

    /**
     * {@return time in ns in which threads did not want to run, since each was found; that of threads whose run delay
     * is unknown is not in it}
     */
    public long notRunningNs() {
        return notRunningNs;
    }

    /** {@return the number of threads in the last snapshot; ≥ 0} */
    public int threads() {
        return threads;
    }

    void beginSnapshot() {
        threadsFound = 0;
    }

    /** Adds a thread, and what it has cost, waited and slept since it was last seen. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    void add(long spentUserNs, long spentSystemNs, long waitedNs, long sleptNs) {
        threadsFound++;
        userTimeNs += spentUserNs;
        systemTimeNs += spentSystemNs;
        runDelayNs += waitedNs;
        notRunningNs += sleptNs;
    }

    void endSnapshot(long nowNs) {
        threads = threadsFound;
        if (threadsFound > 0) {
            lastThreadNs = nowNs;
        }
    }

    /** The time for which it has had no threads, by the last snapshot. */
    long emptyNs(long nowNs) {
        return nowNs - lastThreadNs;
    }
}
