// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.ToLongFunction;

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

    /** Prints the readings of all threads, and how often they broke a law. */
    static void printLaws(List<Readings> all) {
        Fact.print("pairs", sum(all, each -> each.pairs));
        Fact.print("negative", sum(all, each -> each.negative));
        Fact.print("userDecreased", sum(all, each -> each.userDecreased));
        Fact.print("cpuDecreased", sum(all, each -> each.cpuDecreased));
        Fact.print("userAboveCpu", sum(all, each -> each.userAboveCpu));
        Fact.print("worstNs", all.stream().mapToLong(each -> each.worstNs).max().orElse(0));
    }

    private static long sum(List<Readings> all, ToLongFunction<Readings> count) {
        return all.stream().mapToLong(count).sum();
    }

    /** This is allowed: user time that is counted in ticks stands still between two of them. */
    long userStill() {
        return userStill;
    }

    long lastUserNs() {
        return lastUserNs;
    }

    long lastCpuNs() {
        return lastCpuNs;
    }
}
