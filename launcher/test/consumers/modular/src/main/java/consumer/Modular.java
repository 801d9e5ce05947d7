// SPDX-License-Identifier: Apache-2.0
package consumer;

import io.threadclock.ThreadClock;

/** Tells in which module the clock is. */
public final class Modular {
    private Modular() {}

    public static void main(String[] none) {
        System.out.println(ThreadClock.isSupported() + " "
                + (ThreadClock.read().cpuTimeNs() > 0) + " "
                + ThreadClock.class.getModule().getName());
    }
}
