// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.program.Breaches.Breach;
import org.junit.jupiter.api.Test;

class WitnessTest {
    private static final long MS = 1_000_000;

    private final Breaches breaches = new Breaches();
    private final Witness witness = new Witness(breaches);

    @Test
    void acceptsWhatLiesBetweenTheKernelsReadings() {
        witness.judge(look(100, 0), 150, look(200, 0));
        witness.judge(look(300, 0), 300, look(300, 0));
        assertThat(breaches.readings()).isEqualTo(2);
        assertNothingBut();
    }

    @Test
    void countsAReadingBelowTheKernels() {
        witness.judge(look(MS, 0), MS - Witness.BELOW_NS - 1, look(MS, 0));
        assertNothingBut(Breach.BELOW_KERNEL);
    }

    @Test
    void countsAReadingAboveTheKernels() {
        witness.judge(look(MS, 0), MS + Witness.ABOVE_NS + 1, look(MS, 0));
        assertNothingBut(Breach.ABOVE_KERNEL);
    }

    @Test
    void excusesByWhatWasStolenInBetween() {
        witness.judge(look(0, 0), 0, look(0, 0));
        witness.judge(look(MS, 0), 2 * MS, new KernelClock.Look(MS, 2 * MS, 2 * MS, 0));
        assertNothingBut();
        witness.judge(look(MS, 0), 2 * MS + Witness.ABOVE_NS + 1, new KernelClock.Look(MS, 2 * MS, 2 * MS, 0));
        assertNothingBut(Breach.ABOVE_KERNEL);
    }

    @Test
    void excusesByNothingStolenBeforeTheLastSwitch() {
        KernelClock.Look now = new KernelClock.Look(0, MS, MS, 1);
        witness.judge(look(0, 0), 0, new KernelClock.Look(0, MS, MS, 0));
        witness.judge(now, 0, now);
        witness.judge(now, Witness.ABOVE_NS + 1, now);
        assertNothingBut(Breach.ABOVE_KERNEL);
    }

    @Test
    void isLessStrictWhereWhatWasStolenCannotBeTold() {
        witness.judge(look(0, 0), 0, look(0, 0));
        witness.judge(look(0, 0), 0, new KernelClock.Look(0, MS, MS, 1));
        KernelClock.Look now = new KernelClock.Look(0, MS, MS, 1);
        witness.judge(now, Witness.JUMP_NS, now);
        assertNothingBut();
        witness.judge(now, 2 * Witness.JUMP_NS + 1, now);
        assertNothingBut(Breach.ABOVE_KERNEL);
    }

    @Test
    void countsASwitchThatWentUnnoticed() {
        witness.judge(look(0, 0), 0, look(0, 0));
        witness.judge(look(0, 0), 4 * MS, new KernelClock.Look(0, 4 * MS, 4 * MS, 1));
        assertNothingBut(Breach.MISSED_SWITCH);
    }

    @Test
    void countsASwitchBetweenTwoReadingsThatWentUnnoticed() {
        witness.judge(look(0, 0), 0, look(0, 0));
        witness.judge(look(0, 1), Witness.ABOVE_NS + 1, look(0, 1));
        assertNothingBut(Breach.MISSED_SWITCH);
    }

    @Test
    void doesNotCountTwiceWhatWasAheadBeforeASwitch() {
        witness.judge(look(0, 0), 0, look(0, 0));
        witness.judge(look(0, 0), MS, new KernelClock.Look(0, MS, MS, 0));
        witness.judge(look(0, 1), MS, look(0, 2));
        assertNothingBut();
    }

    private static KernelClock.Look look(long ns, long switches) {
        return new KernelClock.Look(ns, ns, ns, switches);
    }

    private void assertNothingBut(Breach... expected) {
        assertThat(breaches.counts().breaches()).containsOnlyKeys(expected);
    }
}
