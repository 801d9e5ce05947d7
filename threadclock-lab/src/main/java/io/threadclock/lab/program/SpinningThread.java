// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/** A thread that is busy while it is told to be, and parked otherwise. */
final class SpinningThread extends Thread {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** Some tens of µs: it is to be busy with its own things, not with reading clocks. */
    private static final int SPINS = 1000;

    private final boolean readsItself;
    private volatile boolean spinning;
    private volatile long spins;

    SpinningThread(boolean readsItself) {
        super("spinning");
        this.readsItself = readsItself;
        setDaemon(true);
    }

    /** Returns when it is busy. */
    void spin() {
        long before = spins;
        spinning = true;
        LockSupport.unpark(this);
        while (spins == before) {
            Thread.onSpinWait();
        }
    }

    void rest() {
        spinning = false;
    }

    @Override
    public void run() {
        while (true) {
            while (spinning) {
                spinALittle();
            }
            LockSupport.park(this);
        }
    }

    private void spinALittle() {
        for (int i = 0; i < SPINS; i++) {
            Thread.onSpinWait();
        }
        spins += readsItself && THREADS.getCurrentThreadUserTime() < 0 ? 2 : 1;
    }
}
