// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds the wall time of a part to {@link System#nanoTime()}: within 0.05 % and 1 us of the time that it must enclose. */
class PartWallTimeTest {
    private static final long MS = 1_000_000;

    private final CpuAccount account = new CpuAccount();

    private void spin(long ns) {
        for (long startNs = System.nanoTime(); System.nanoTime() - startNs < ns; ) {
            account.read(); // which reads the part, too
        }
    }

    private static void sleep(long ns) {
        for (long startNs = System.nanoTime(), leftNs = ns; leftNs > 0; ) {
            LockSupport.parkNanos(leftNs);
            leftNs = ns - (System.nanoTime() - startNs);
        }
    }

    /** Runs in a part, and compares it with what lay inside, and what lay around. */
    private void assertWallTimeOf(Runnable task) {
        long wallNs = account.read().wallTimeNs();
        long beforeNs = System.nanoTime();
        CpuAccount.Part part = account.enter();
        long beganNs = System.nanoTime();
        task.run();
        long endsNs = System.nanoTime();
        part.close();
        long afterNs = System.nanoTime();
        wallNs = account.read().wallTimeNs() - wallNs;
        long slackNs = 1_000 + (endsNs - beganNs) / 2_000;
        assertThat(wallNs)
                .as("wall time of a part")
                .isBetween(endsNs - beganNs - slackNs, afterNs - beforeNs + slackNs);
    }

    private void assertWallTimeOfRounds(int rounds, long ns) {
        for (int i = 0; i < rounds; i++) {
            assertWallTimeOf(() -> spin(ns));
            assertWallTimeOf(() -> sleep(ns));
            assertWallTimeOf(() -> {
                spin(ns / 2);
                sleep(ns / 2);
            });
        }
    }

    @Test
    @Tag("timing")
    void isThatOfNanoTime() {
        assertWallTimeOfRounds(20, 10 * MS);
        assertWallTimeOfRounds(1, 300 * MS);
    }

    @Test
    @Tag("long")
    void isThatOfNanoTimeForAMinute() {
        assertWallTimeOf(() -> {
            spin(30_000 * MS);
            sleep(30_000 * MS);
        });
    }
}
