// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.concurrent.TimeUnit;

/** Time that passes, and waiting; made up in tests. */
interface Time {
    /** The machine's. */
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

    /** Since any moment. */
    long ms();

    /**
     * Waits for so long at most, or until somebody notifies the monitor, which the caller holds.
     *
     * @param ms 0: for ever
     */
    void await(Object monitor, long ms) throws InterruptedException;
}
