// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** Runs a virtual thread for each byte of its input, until that ends. The first one creates the carriers. */
public final class CarrierProbe {
    private CarrierProbe() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.out.println(EchoProbe.READY);
        while (System.in.read() >= 0) {
            CountDownLatch carried = new CountDownLatch(1);
            ReflectedVirtualThreads.start(carried::countDown);
            carried.await();
        }
    }
}
