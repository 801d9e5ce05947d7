// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** Has had a virtual thread carried, so that there are carriers, and does nothing then until its input ends. */
public final class CarrierProbe {
    private CarrierProbe() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        CountDownLatch carried = new CountDownLatch(1);
        VirtualThreads.start(carried::countDown);
        carried.await();
        System.out.println(EchoProbe.READY);
        while (System.in.read() >= 0) {
            continue;
        }
    }
}
