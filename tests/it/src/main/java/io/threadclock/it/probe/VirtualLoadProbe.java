// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets virtual threads of three pools work until its input ends: handlers one after the other, each of which ends; two
 * importers, which pause now and then; and one without a name, which does the same.
 */
public final class VirtualLoadProbe {
    private static final int UNIT = 200_000;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private static volatile boolean isOver;

    private VirtualLoadProbe() {}

    public static void main(String[] arguments) throws Exception {
        ReflectedVirtualThreads.start("", VirtualLoadProbe::workAndPause);
        ReflectedVirtualThreads.start("import-1", VirtualLoadProbe::workAndPause);
        ReflectedVirtualThreads.start("import-2", VirtualLoadProbe::workAndPause);
        Thread starter = new Thread(VirtualLoadProbe::startOthers, "starter");
        starter.start();
        EchoProbe.awaitEndOfInput();
        isOver = true;
        starter.join();
    }

    private static void startOthers() {
        for (int i = 0; !isOver; i++) {
            CountDownLatch ended = new CountDownLatch(1);
            ReflectedVirtualThreads.start("handler-" + i, () -> {
                Spin.steps(UNIT);
                ended.countDown();
            });
            Parked.awaitUninterrupted(ended);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private static void workAndPause() {
        while (!isOver) {
            Spin.steps(UNIT);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }
}
