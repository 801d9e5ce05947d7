// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** A thread that reads itself and is read by others, by id. */
final class ReadThread {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Thread thread;
    private final ReadingOrder cpu;
    private final ReadingOrder user;
    private final Tally cpuAfterUser;

    ReadThread(Runnable work, ReadingOrder cpu, ReadingOrder user, Tally cpuAfterUser) {
        this.thread = new Thread(work);
        this.cpu = cpu;
        this.user = user;
        this.cpuAfterUser = cpuAfterUser;
    }

    Thread thread() {
        return thread;
    }

    ReadingOrder cpu() {
        return cpu;
    }

    ReadingOrder user() {
        return user;
    }

    /** To be called by the thread itself. */
    void readItself() {
        long userBeforeNs = user.readByOthersNs();
        long userNs = THREADS.getCurrentThreadUserTime();
        user.own(userBeforeNs, userNs);
        long cpuBeforeNs = cpu.readByOthersNs();
        long cpuNs = THREADS.getCurrentThreadCpuTime();
        cpu.own(cpuBeforeNs, cpuNs);
        cpuAfterUser.atLeast(userNs, cpuNs);
    }

    /** To be called by another thread. */
    void readById() {
        long ownUserNs = user.readByItselfNs();
        long othersUserNs = user.readByOthersNs();
        long userNs = THREADS.getThreadUserTime(thread.getId());
        user.others(ownUserNs, othersUserNs, userNs);
        long ownCpuNs = cpu.readByItselfNs();
        long othersCpuNs = cpu.readByOthersNs();
        long cpuNs = THREADS.getThreadCpuTime(thread.getId());
        cpu.others(ownCpuNs, othersCpuNs, cpuNs);
        cpuAfterUser.atLeast(userNs, cpuNs);
    }
}
