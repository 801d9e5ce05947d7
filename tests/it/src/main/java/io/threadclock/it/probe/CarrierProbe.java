// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a virtual thread for each byte of its input, until that ends. The first one creates the carriers, which end when
 * they have had nothing to carry for half a minute; they always have.
 */
public final class CarrierProbe {
    private CarrierProbe() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println(EchoProbe.READY);
        while (System.in.read() >= 0) {
            CountDownLatch carried = new CountDownLatch(1);
            ReflectedVirtualThreads.start(() -> {
                carried.countDown();
                stay();
            });
            carried.await();
        }
    }

    private static void stay() {
        while (true) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
    }
}
