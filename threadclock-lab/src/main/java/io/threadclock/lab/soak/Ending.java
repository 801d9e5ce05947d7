// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak;

import java.util.concurrent.TimeUnit;

/** Whether somebody ends this JVM: then its children end as well, and that is no fault of theirs. */
final class Ending {
    /** Ctrl-C reaches all of them at once, and this JVM perhaps last. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long LOOK_MS = 10;

    private Ending() {}

    static boolean hasBegun() throws InterruptedException {
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (!refusesHooks()) {
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
        return true;
    }

    /** What a JVM does from the moment on in which it begins to end. */
    private static boolean refusesHooks() {
        Thread hook = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            return !Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            return true;
        }
    }
}
