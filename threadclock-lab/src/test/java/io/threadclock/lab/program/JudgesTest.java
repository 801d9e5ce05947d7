// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.program.Breaches.Breach;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Those who judge readings in demo and soak find what is wrong, one wrong reading each, and nothing in what is right. */
class JudgesTest {
    private static final long MS = 1_000_000;

    private final Breaches breaches = new Breaches();

    @Test
    void findAReadingBelowOrAboveTheKernels() {
        Witness witness = new Witness(breaches);
        witness.judge(look(100), 150, look(200));
        assertThat(found()).isEmpty();
        witness.judge(look(MS), MS - Witness.BELOW_NS - 1, look(MS));
        assertThat(found()).containsExactly(Breach.BELOW_KERNEL);
        witness.judge(look(MS), MS + Witness.ABOVE_NS + 1, look(MS));
        assertThat(found()).containsExactlyInAnyOrder(Breach.BELOW_KERNEL, Breach.ABOVE_KERNEL);
    }

    @Test
    void findTimesThatGoBackOrAreNoSum() {
        OwnReader.Sequence sequence = new OwnReader.Sequence(breaches, "made up");
        sequence.next(100, 60, 40);
        sequence.next(200, 120, 80);
        assertThat(found()).isEmpty();
        sequence.next(300, 180, 121);
        assertThat(found()).containsExactly(Breach.NO_SUM);
        sequence.next(180, 199);
        assertThat(found()).contains(Breach.BACKWARDS);
    }

    @Test
    void findUnitsOfWorkThatWereChargedNothingOrTooMuch() {
        UnitLedger ledger = new UnitLedger();
        ledger.charge(100, 90, 200, 180);
        ledger.settle(200);
        assertThat(ledger.charges().withoutUserTime() + ledger.charges().outOfRange())
                .isZero();
        ledger.charge(200, 180, 300, 180);
        assertThat(ledger.charges().withoutUserTime()).isEqualTo(1);
        ledger.charge(300, 180, 400, 410);
        ledger.settle(405);
        assertThat(ledger.charges().outOfRange()).isEqualTo(1);
    }

    private Set<Breach> found() {
        return breaches.counts().breaches().keySet();
    }

    private static KernelClock.Look look(long cpuNs) {
        return new KernelClock.Look(cpuNs, cpuNs, cpuNs, 0);
    }
}
