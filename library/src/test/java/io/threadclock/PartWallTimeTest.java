// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds the wall time of a part to {@link System#nanoTime()}: within 0.05 % and 1 us of what it must enclose. */
class PartWallTimeTest {
    private static final long MS = 1_000_000;

    private final CpuAccount account = new CpuAccount();

    private static void passTime(long ns, Runnable step) {
        for (long startNs = System.nanoTime(); System.nanoTime() - startNs < ns; ) {
            step.run();
        }
    }

    /** Runs for half of the time, while the part is read, and sleeps. */
    private void assertWallTimeOfPart(long ns) {
        long wallNs = account.read().wallTimeNs();
        long beforeNs = System.nanoTime();
        CpuAccount.Part part = account.enter();
        long beganNs = System.nanoTime();
        passTime(ns / 2, account::read);
        passTime(ns / 2, () -> LockSupport.parkNanos(ns / 2));
        long endsNs = System.nanoTime();
        part.close();
        long afterNs = System.nanoTime();
        wallNs = account.read().wallTimeNs() - wallNs;
        long slackNs = 1_000 + (endsNs - beganNs) / 2_000;
        assertThat(wallNs)
                .as("wall time of a part")
                .isBetween(endsNs - beganNs - slackNs, afterNs - beforeNs + slackNs);
    }

    @Test
    @Tag("timing")
    void isThatOfNanoTime() {
        for (int i = 0; i < 20; i++) {
            assertWallTimeOfPart(10 * MS);
        }
        assertWallTimeOfPart(300 * MS);
    }

    @Test
    @Tag("long")
    void isThatOfNanoTimeForAMinute() {
        assertWallTimeOfPart(60_000 * MS);
    }
}
