// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.lang.management.ManagementFactory;

/** A program that touches ThreadMXBean for the first time when its input has ended. */
public final class LateBeanProbe {
    private LateBeanProbe() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println(EchoProbe.READY);
        while (System.in.read() >= 0) {}
        System.exit(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() > 0 ? EchoProbe.STATUS : 1);
    }
}
