// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.TimeZone;

/** A program that touches ThreadMXBean and time zones for the first time when its input has ended. */
public final class LateBeanProbe {
    private LateBeanProbe() {}

    public static void main(String[] arguments) throws IOException {
        EchoProbe.awaitEndOfInput();
        boolean hasZones = TimeZone.getTimeZone("Asia/Tokyo").getRawOffset() > 0;
        boolean hasTimes = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() > 0;
        System.exit(hasZones && hasTimes ? EchoProbe.STATUS : 1);
    }
}
