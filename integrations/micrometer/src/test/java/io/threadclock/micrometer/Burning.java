// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.ThreadClock;

/** Work of the calling thread, as long as wished by its own CPU time. */
final class Burning {
    private Burning() {}

    static void cpu(long ns) {
        long endNs = ThreadClock.cpuTimeNs() + ns;
        while (ThreadClock.cpuTimeNs() < endNs) {
            Thread.onSpinWait();
        }
    }
}
