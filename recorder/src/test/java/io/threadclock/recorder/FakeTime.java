// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.ArrayList;
import java.util.List;

/** Time in which waiting takes no time. */
final class FakeTime implements Time {
    final List<Long> pausesMs = new ArrayList<>();
    private Runnable onPause = () -> {};
    private long nowMs;

    /** @param action runs each time that somebody waits */
    void onPause(Runnable action) {
        onPause = action;
    }

    @Override
    public synchronized long ms() {
        return nowMs;
    }

    /** For ever is not made up. */
    @Override
    public void await(Object monitor, long ms) throws InterruptedException {
        if (ms == 0) {
            monitor.wait();
            return;
        }
        synchronized (this) {
            nowMs += ms;
            pausesMs.add(ms);
        }
        onPause.run();
    }
}
