// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.concurrent.TimeUnit;

/** Work that is only user time; System.nanoTime() is not a system call. */
final class Spin {
    private static volatile long result;

    private Spin() {}

    static void forMs(long durationMs) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        long nowNs = System.nanoTime();
        while (nowNs - endNs < 0) {
            nowNs = System.nanoTime();
        }
    }

    /** So many steps of a sum: no time is read, so that a virtual thread stays on its carrier. */
    static void steps(int count) {
        long sum = result;
        for (int i = 0; i < count; i++) {
            sum = sum * 31 + i;
        }
        result = sum;
    }
}
