// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Work of a known cost, and waits for what must come. */
final class Work {
    static final long NS = TimeUnit.MILLISECONDS.toNanos(3);

    private Work() {}

    static void use() {
        use(NS);
    }

    /** Uses some CPU time, and returns how much. */
    static long use(long ns) {
        long beginNs = ThreadClock.cpuTimeNs();
        long nowNs = beginNs;
        while (nowNs < beginNs + ns) {
            Thread.onSpinWait();
            nowNs = ThreadClock.cpuTimeNs();
        }
        return nowNs - beginNs;
    }

    static void until(BooleanSupplier hasCome) {
        while (!hasCome.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}
