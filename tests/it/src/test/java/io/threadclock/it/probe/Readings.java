// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Pairs of readings by one thread, judged as they come, under some disturbance. */
final class Readings implements Runnable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Disturbance disturbance = new Disturbance();
    private final Laws laws;
    private final int wanted;
    private volatile boolean ending;
    private long pairs;
    private long userStill;
    private long lastUserNs;
    private long lastCpuNs;

    Readings(Laws laws, int wanted) {
        this.laws = laws;
        this.wanted = wanted;
    }

    @Override
    public void run() {
        while (pairs < wanted && !ending) {
            judge(THREADS.getCurrentThreadUserTime(), THREADS.getCurrentThreadCpuTime());
            disturbance.next();
            pairs++;
        }
    }

    void end() {
        ending = true;
    }

    private void judge(long userNs, long cpuNs) {
        laws.areNotNegative.atLeast(0, Math.min(userNs, cpuNs));
        laws.userNeverDecreases.atLeast(lastUserNs, userNs);
        laws.cpuNeverDecreases.atLeast(lastCpuNs, cpuNs);
        laws.userWithinCpu.atLeast(userNs, cpuNs);
        userStill += lastUserNs == userNs ? 1 : 0;
        lastUserNs = userNs;
        lastCpuNs = cpuNs;
    }

    /** Of its readings of user time, the part that was like the one before, as between two ticks that count it. */
    double userStill() {
        return (double) userStill / pairs;
    }

    long lastUserNs() {
        return lastUserNs;
    }

    long lastCpuNs() {
        return lastCpuNs;
    }

    /** The laws of any pair of readings, by one thread or more. */
    static final class Laws {
        private final Tally areNotNegative = new Tally();
        private final Tally userNeverDecreases = new Tally();
        private final Tally cpuNeverDecreases = new Tally();
        private final Tally userWithinCpu = new Tally();

        void assertThatNoneIsNegative() {
            areNotNegative.assertNoBreach("no time is negative");
        }

        void assertThatUserTimeNeverDecreases() {
            userNeverDecreases.assertNoBreach("user time never decreases");
        }

        void assertThatCpuTimeNeverDecreases() {
            cpuNeverDecreases.assertNoBreach("CPU time never decreases");
        }

        void assertThatUserTimeIsWithinCpuTime() {
            userWithinCpu.assertNoBreach("user time never exceeds the CPU time read next");
        }

        void assertAll() {
            assertThatNoneIsNegative();
            assertThatUserTimeNeverDecreases();
            assertThatCpuTimeNeverDecreases();
            assertThatUserTimeIsWithinCpuTime();
        }
    }
}
