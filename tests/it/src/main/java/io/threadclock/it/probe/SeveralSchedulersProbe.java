// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * A virtual thread on each of three schedulers: the JDK's own, a pool of the JDK's class of carriers, and an executor
 * of plain threads. They have been mounted, and stay parked until its input ends.
 */
public final class SeveralSchedulersProbe {
    private SeveralSchedulersProbe() {}

    public static void main(String[] arguments) throws Exception {
        Constructor<?> carrier =
                Class.forName("jdk.internal.misc.CarrierThread").getConstructor(ForkJoinPool.class);
        Executor pool = new ForkJoinPool(1, its -> carrierOf(carrier, its), null, true);
        Executor plain = Executors.newSingleThreadExecutor(run -> daemon(run, "events-1"));
        CountDownLatch mounted = new CountDownLatch(3);
        CountDownLatch never = new CountDownLatch(1);
        Runnable stay = () -> {
            mounted.countDown();
            try {
                never.await();
            } catch (InterruptedException nobodyDoes) {
                Thread.currentThread().interrupt();
            }
        };
        ReflectedVirtualThreads.unstarted(stay).start();
        for (Executor scheduler : Arrays.asList(pool, plain)) {
            ReflectedVirtualThreads.unstarted(scheduler, stay).start();
        }
        mounted.await();
        EchoProbe.awaitEndOfInput();
    }

    private static ForkJoinWorkerThread carrierOf(Constructor<?> carrier, ForkJoinPool pool) {
        try {
            return (ForkJoinWorkerThread) carrier.newInstance(pool);
        } catch (ReflectiveOperationException refused) {
            throw new IllegalStateException("making a carrier failed: " + refused, refused);
        }
    }

    private static Thread daemon(Runnable run, String name) {
        Thread thread = new Thread(run, name);
        thread.setDaemon(true);
        return thread;
    }
}
