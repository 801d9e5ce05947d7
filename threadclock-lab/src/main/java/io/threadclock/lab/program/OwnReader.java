// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.ThreadClock;
import io.threadclock.TimesHolder;
import io.threadclock.lab.program.Breaches.Breach;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/** Reads the calling thread's times, through the library and through ThreadMXBean, and judges all readings. */
final class OwnReader {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int READINGS = 8;

    private final Breaches breaches;
    private final ObservedThread target;
    private final Witness witness;
    private final Sequence ofLibrary;
    private final Sequence ofBean;
    private final TimesHolder times = new TimesHolder();
    private long lastEra;

    /** Only one thread may use it; {@code target} shows it to others. */
    OwnReader(Breaches breaches, ObservedThread target) {
        this.breaches = breaches;
        this.target = target;
        this.witness = new Witness(breaches);
        this.ofLibrary = new Sequence(breaches, "library");
        this.ofBean = new Sequence(breaches, "ThreadMXBean");
    }

    /** Some readings of each kind. */
    void read() {
        if (witness.epochIsOver(KernelClock.look())) {
            LockSupport.parkNanos(1);
        }
        for (int i = 0; i < READINGS; i++) {
            readLibrary();
            readBean();
        }
    }

    private void readLibrary() {
        ObservedThread.Floor floor = target.floor();
        KernelClock.Look before = KernelClock.look();
        ThreadClock.read(times);
        KernelClock.Look after = KernelClock.look();
        long cpuNs = times.cpuTimeNs();
        witness.judge(before, cpuNs, after);
        ofLibrary.next(cpuNs, times.userTimeNs(), times.systemTimeNs());
        target.show(floor, cpuNs, times.userTimeNs(), "the thread itself");
    }

    private void readBean() {
        long era = SoakProgram.Era.now();
        KernelClock.Look before = KernelClock.look();
        long userNs = THREADS.getCurrentThreadUserTime();
        long cpuNs = THREADS.getCurrentThreadCpuTime();
        KernelClock.Look after = KernelClock.look();
        if (SoakProgram.Era.isOfThreadclock(era) && SoakProgram.Era.now() == era) {
            witness.judge(before, cpuNs, after);
            judgeInEra(era, userNs, cpuNs);
        } else {
            breaches.reading();
            long belowNs = before.cpuNs() - cpuNs;
            breaches.check(belowNs > Witness.BELOW_NS, Breach.BELOW_KERNEL, "ThreadMXBean between eras, ns", belowNs);
            breaches.check(userNs < 0, Breach.WRONG_ANSWER, "ThreadMXBean between eras", userNs);
        }
    }

    private void judgeInEra(long era, long userNs, long cpuNs) {
        if (era != lastEra) {
            ofBean.beginAnew();
            lastEra = era;
        }
        ofBean.next(userNs, cpuNs);
    }

    /** The readings of one thread by one reader, in order. Each is compared with the one before. */
    static final class Sequence {
        private final Breaches breaches;
        private final String reader;
        private long lastCpuNs;
        private long lastUserNs;

        Sequence(Breaches breaches, String reader) {
            this.breaches = breaches;
            this.reader = reader;
        }

        /** Begins again, because another clock answers from now on. */
        void beginAnew() {
            lastCpuNs = 0;
            lastUserNs = 0;
        }

        /** Adds both times of one consistent reading. */
        void next(long cpuNs, long userNs, long systemNs) {
            breaches.check(userNs + systemNs != cpuNs, Breach.NO_SUM, reader, userNs + systemNs - cpuNs);
            long userGrowthNs = userNs - lastUserNs;
            long cpuGrowthNs = cpuNs - lastCpuNs;
            breaches.check(userGrowthNs > cpuGrowthNs, Breach.USER_ABOVE_CPU, reader, userGrowthNs - cpuGrowthNs);
            next(userNs, cpuNs);
        }

        /** Adds user time, and CPU time that was read after it. */
        void next(long userNs, long cpuNs) {
            breaches.check(userNs < 0 || cpuNs < 0, Breach.WRONG_ANSWER, reader, Math.min(userNs, cpuNs));
            breaches.check(cpuNs < lastCpuNs, Breach.BACKWARDS, reader + ", CPU time", lastCpuNs - cpuNs);
            breaches.check(userNs < lastUserNs, Breach.BACKWARDS, reader + ", user time", lastUserNs - userNs);
            breaches.check(userNs > cpuNs, Breach.USER_ABOVE_CPU, reader, userNs - cpuNs);
            lastCpuNs = cpuNs;
            lastUserNs = userNs;
        }
    }
}
