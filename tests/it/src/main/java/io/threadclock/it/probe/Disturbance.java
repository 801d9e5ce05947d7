// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

/** Makes garbage and switches now and then, so that collections and resyncs come between a thread's readings. */
final class Disturbance {
    private static final int YIELD_MASK = (1 << 10) - 1;
    private static final int SLEEP_MASK = (1 << 14) - 1;

    private int steps;
    private byte[] garbage; // a field, so that the compiler cannot leave the allocation out

    /** To be called once per reading, or per few. */
    void next() {
        steps++;
        if ((steps & YIELD_MASK) == 0) {
            garbage = new byte[1 << 16];
            Thread.yield();
        }
        if ((steps & SLEEP_MASK) == 0) {
            sleepShortly();
        }
    }

    private static void sleepShortly() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
