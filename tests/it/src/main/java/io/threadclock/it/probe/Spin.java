// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.concurrent.TimeUnit;

/** Work that is only user time; System.nanoTime() is not a system call. */
final class Spin {
    private Spin() {}

    static void forMs(long durationMs) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        long nowNs = System.nanoTime();
        while (nowNs - endNs < 0) {
            nowNs = System.nanoTime();
        }
    }
}
