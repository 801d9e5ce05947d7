// SPDX-License-Identifier: Apache-2.0
import io.threadclock.ThreadClock;

/** Tells whether the clock is here. */
public final class OfGradle {
    private OfGradle() {}

    public static void main(String[] none) {
        System.out.println("clock: " + ThreadClock.isSupported() + " " + (ThreadClock.read().cpuTimeNs() > 0));
    }
}
