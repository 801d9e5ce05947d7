// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Carriers whose clock is a count: each reading of a carrier advances it by 10 ns, every other time in user mode. */
class FakeCarrierClock extends CarrierClock {
    static final long STEP_NS = 10;

    private static final int ESRCH = 3;

    private final ThreadLocal<Integer> own = new ThreadLocal<>();
    private final Map<Integer, Long> steps = new HashMap<>();
    private final Map<Integer, Carrier> carriers = new ConcurrentHashMap<>();

    /** Other threads read this much too much, which breaks an assumption of {@link VirtualClock}. */
    private final long aheadNs;

    /** The carrier that other threads cannot read. */
    private int refusedTid;

    FakeCarrierClock() {
        this(0);
    }

    FakeCarrierClock(long aheadNs) {
        this.aheadNs = aheadNs;
    }

    /** Runs some work in the calling thread, which plays this carrier meanwhile. */
    void on(int tid, Runnable work) {
        Integer before = own.get();
        own.set(tid);
        work.run();
        own.set(before);
    }

    void refuse(int tid) {
        refusedTid = tid;
    }

    /** Advances the clock of the calling carrier by this many steps. */
    void burn(int count) {
        spend(own.get(), count);
    }

    synchronized long cpuNsOf(int tid) {
        return STEP_NS * steps.getOrDefault(tid, 0L);
    }

    private synchronized long spend(int tid, int count) {
        return STEP_NS * steps.merge(tid, (long) count, Long::sum);
    }

    private static long userNs(long cpuNs) {
        return (cpuNs / STEP_NS + 1) / 2 * STEP_NS;
    }

    @Override
    Carrier carrier() {
        return carriers.computeIfAbsent(own.get(), tid -> newCarrier());
    }

    @Override
    Carrier newCarrier() {
        return new Carrier(own.get(), 0);
    }

    @Override
    void read(Carrier carrier, int next) {
        long cpuNs = spend(own.get(), 1);
        Interleavings.point();
        carrier.cpuNs = cpuNs;
        carrier.userNs = userNs(cpuNs);
    }

    @Override
    int observe(int tid, Total times) {
        if (tid == refusedTid) {
            return -ESRCH;
        }
        long cpuNs = spend(tid, 1) + aheadNs;
        Interleavings.point();
        times.cpuNs = cpuNs;
        times.userNs = userNs(cpuNs);
        return 0;
    }

    @Override
    int copy(long[] timesNs) {
        long cpuNs = spend(own.get(), 1);
        Interleavings.point();
        timesNs[0] = cpuNs;
        timesNs[1] = userNs(cpuNs);
        timesNs[2] = cpuNs - timesNs[1];
        return 0;
    }

    @Override
    boolean isOnCarrier() {
        return false;
    }

    @Override
    int poolNamed(String name) {
        throw new AssertionError("no fake has threads");
    }

    @Override
    long cpuTimeNs() {
        return spend(own.get(), 1);
    }

    @Override
    long userTimeNs() {
        return userNs(cpuTimeNs());
    }

    @Override
    long systemTimeNs() {
        long cpuNs = cpuTimeNs();
        return cpuNs - userNs(cpuNs);
    }
}
