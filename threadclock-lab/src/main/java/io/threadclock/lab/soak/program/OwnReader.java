// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

import io.threadclock.ThreadClock;
import io.threadclock.TimesHolder;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/** Reads the calling thread's times, through the library and through ThreadMXBean, and judges all of it. */
final class OwnReader {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int READINGS = 8;

    private final Breaches breaches;
    private final Target target;
    private final Witness witness;
    private final Sequence ofLibrary;
    private final Sequence ofBean;
    private final TimesHolder times = new TimesHolder();
    private long lastEra;

    /** To be used by one thread alone; {@code target} shows it to others. */
    OwnReader(Breaches breaches, Target target) {
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
        Target.Floor floor = target.floor();
        KernelLook before = KernelClock.look();
        ThreadClock.read(times);
        KernelLook after = KernelClock.look();
        long cpuNs = times.cpuTimeNs();
        witness.judge(before, cpuNs, after);
        ofLibrary.next(cpuNs, times.userTimeNs(), times.systemTimeNs());
        target.show(floor, cpuNs, times.userTimeNs(), "the thread itself");
    }

    private void readBean() {
        long era = Era.now();
        KernelLook before = KernelClock.look();
        long userNs = THREADS.getCurrentThreadUserTime();
        long cpuNs = THREADS.getCurrentThreadCpuTime();
        KernelLook after = KernelClock.look();
        if (Era.isOfThreadclock(era) && Era.now() == era) {
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
}
