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
    private static volatile long result;

    private VirtualLoadProbe() {}

    public static void main(String[] arguments) throws Exception {
        start("", VirtualLoadProbe::workAndPause);
        start("import-1", VirtualLoadProbe::workAndPause);
        start("import-2", VirtualLoadProbe::workAndPause);
        Thread starter = new Thread(VirtualLoadProbe::startOthers, "starter");
        starter.start();
        System.out.println(EchoProbe.READY);
        while (System.in.read() >= 0) {}
        isOver = true;
        starter.join();
    }

    private static void startOthers() {
        for (int i = 0; !isOver; i++) {
            CountDownLatch ended = new CountDownLatch(1);
            start("handler-" + i, () -> {
                work();
                ended.countDown();
            });
            await(ended);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            isOver = true;
        }
    }

    private static void workAndPause() {
        while (!isOver) {
            work();
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private static void work() {
        long sum = result;
        for (int i = 0; i < UNIT; i++) {
            sum = sum * 31 + i;
        }
        result = sum;
    }

    private static void start(String name, Runnable task) {
        Thread thread = ReflectedVirtualThreads.unstarted(task);
        thread.setName(name);
        thread.start();
    }
}
