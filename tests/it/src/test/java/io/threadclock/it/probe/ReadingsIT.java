// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The laws of any reading of user time, then CPU time, on the main thread (0) and on more threads than there are CPUs.
 */
@InChild(
        agent = InChild.Loading.AGENTPATH,
        modes = {"-Dthreadclock.it.threads=0", "-Dthreadclock.it.threads=8"})
public class ReadingsIT {
    private static final int THREADS = Integer.getInteger("threadclock.it.threads", 4);
    private static final int PAIRS_EACH =
            Integer.getInteger("threadclock.it.pairs", Amount.orLittle(1_000_000, 50_000));

    private static final Readings.Laws LAWS = new Readings.Laws();
    private static final List<Readings> READINGS = new ArrayList<>();

    @BeforeAll
    static void read() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Math.max(1, THREADS); i++) {
            READINGS.add(new Readings(LAWS, PAIRS_EACH));
            threads.add(new Thread(READINGS.get(i)));
        }
        if (THREADS == 0) {
            READINGS.get(0).run();
            return;
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void areNeverNegative() {
        LAWS.assertThatNoneIsNegative();
    }

    @Test
    void ofUserTimeNeverDecrease() {
        LAWS.assertThatUserTimeNeverDecreases();
    }

    @Test
    void ofCpuTimeNeverDecrease() {
        LAWS.assertThatCpuTimeNeverDecreases();
    }

    @Test
    void ofUserTimeNeverExceedTheCpuTimeReadNext() {
        LAWS.assertThatUserTimeIsWithinCpuTime();
    }

    @Test
    @Tag("timing")
    void growWithTheWorkOfTheirThread() {
        for (Readings each : READINGS) {
            assertThat(each.lastUserNs()).as("user time of a million pairs, ns").isGreaterThan(1_000_000);
            assertThat(each.lastCpuNs()).as("CPU time of a million pairs, ns").isGreaterThan(1_000_000);
        }
    }

    /** For tests of what a program prints that has taken them. */
    void areTaken() {}

    /** The first four, for tests of other programs. */
    void keepTheirLaws() {
        LAWS.assertAll();
    }

    /** For those of sources that count ticks. */
    void ofUserTimeStandStillBetweenTicks() {
        assertThat(READINGS.get(0).userStill())
                .as("readings of user time like the one before, as a part of all")
                .isGreaterThan(0.9);
    }
}
