// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Pairs of readings by one thread, judged as they come, under some disturbance. */
final class Readings implements Runnable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Disturbance disturbance = new Disturbance();
    private final int wanted;
    private volatile boolean ending;
    private long pairs;
    private long negative;
    private long userDecreased;
    private long cpuDecreased;
    private long userAboveCpu;
    private long userStill;
    private long worstNs;
    private long lastUserNs;
    private long lastCpuNs;

    Readings(int wanted) {
        this.wanted = wanted;
    }

    @Override
    public void run() {
        while (pairs < wanted && !ending) {
            judge(THREADS.getCurrentThreadUserTime(), THREADS.getCurrentThreadCpuTime());
            disturbance.next();
        }
    }

    void end() {
        ending = true;
    }

    private void judge(long userNs, long cpuNs) {
        negative += userNs < 0 || cpuNs < 0 ? 1 : 0;
        userDecreased += broken(lastUserNs - userNs);
        userStill += lastUserNs == userNs ? 1 : 0;
        cpuDecreased += broken(lastCpuNs - cpuNs);
        userAboveCpu += broken(userNs - cpuNs);
        lastUserNs = userNs;
        lastCpuNs = cpuNs;
        pairs++;
    }

    private int broken(long excessNs) {
        worstNs = Math.max(worstNs, excessNs);
        return excessNs > 0 ? 1 : 0;
    }

    long pairs() {
        return pairs;
    }

    long negative() {
        return negative;
    }

    long userDecreased() {
        return userDecreased;
    }

    long cpuDecreased() {
        return cpuDecreased;
    }

    long userAboveCpu() {
        return userAboveCpu;
    }

    /** This is allowed: user time that is counted in ticks stands still between two of them. */
    long userStill() {
        return userStill;
    }

    long worstNs() {
        return worstNs;
    }

    long lastUserNs() {
        return lastUserNs;
    }

    long lastCpuNs() {
        return lastCpuNs;
    }
}
