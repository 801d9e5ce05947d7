// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

/**
 * How often the agent has come and gone. ThreadMXBean promises an order among its answers only as long as one and the
 * same clock gives them: in an odd era that is threadclock's, in an even one the JDK's or both by turns.
 */
final class Era {
    private static volatile long number;

    private Era() {}

    static long now() {
        return number;
    }

    static void begin(long next) {
        number = next;
    }

    static boolean isOfThreadclock(long era) {
        return era % 2 == 1;
    }
}
