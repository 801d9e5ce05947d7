// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A thread that is parked but for a few µs now and then. */
final class DozingThread extends Thread {
    private static final int SPINS = 200;

    private volatile CountDownLatch call;

    DozingThread() {
        super("dozing");
        setDaemon(true);
    }

    /** It runs a little, then counts {@code done} down and is parked again. */
    void wake(CountDownLatch done) {
        call = done;
        LockSupport.unpark(this);
    }

    @Override
    public void run() {
        while (true) {
            CountDownLatch done = call;
            if (done == null) {
                LockSupport.park(this);
            } else {
                call = null;
                runALittle(done);
            }
        }
    }

    private static void runALittle(CountDownLatch done) {
        for (int i = 0; i < SPINS; i++) {
            Thread.onSpinWait();
        }
        done.countDown();
    }
}
