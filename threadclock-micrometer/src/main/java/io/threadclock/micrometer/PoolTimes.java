// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

/** The cost of the threads of one pool so far. Only one thread at a time writes it. */
final class PoolTimes {
    private final String name;
    private volatile long userTimeNs;
    private volatile long systemTimeNs;
    private volatile long runDelayNs;
    private volatile int threads;
    private int threadsFound;
    private long lastThreadNs;

    PoolTimes(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    long userTimeNs() {
        return userTimeNs;
    }

    long systemTimeNs() {
        return systemTimeNs;
    }

    /** Run-queue delay; that of threads of which it is unknown is not in it. */
    long runDelayNs() {
        return runDelayNs;
    }

    int threads() {
        return threads;
    }

    void beginSnapshot() {
        threadsFound = 0;
    }

    /** Adds a thread, and what it has cost and waited since it was last seen. */
    @SuppressWarnings("NonAtomicOperationOnVolatileField")
    void add(long spentUserNs, long spentSystemNs, long waitedNs) {
        threadsFound++;
        userTimeNs += spentUserNs;
        systemTimeNs += spentSystemNs;
        runDelayNs += waitedNs;
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
