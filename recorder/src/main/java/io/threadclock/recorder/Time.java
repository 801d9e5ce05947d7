// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.concurrent.TimeUnit;

/** Time and waiting, which tests replace. */
interface Time {
    /** The time of the machine. */
    Time MACHINE = new Time() {
        @Override
        public long ms() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }

        @Override
        public void await(Object monitor, long ms) throws InterruptedException {
            monitor.wait(ms);
        }
    };

    /** The time since some fixed moment. */
    long ms();

    /**
     * Waits for this time at most, or until somebody notifies the monitor, which the caller holds.
     *
     * @param ms 0: without a limit
     */
    void await(Object monitor, long ms) throws InterruptedException;
}
