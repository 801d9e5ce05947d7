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

    @Test
    void excuseASegmentForWhatWasStolenAndForNothingElse() {
        assertThat(new SegmentTruth.Segment(1, 140, 90, 100, 40).errorNs()).isZero();
        assertThat(new SegmentTruth.Segment(1, 141, 90, 100, 40).errorNs()).isEqualTo(1);
        assertThat(new SegmentTruth.Segment(1, 49, 90, 100, 40).errorNs()).isEqualTo(1);

        StolenTime honest = new StolenTime();
        honest.begin(new KernelClock.Look(10, 0, 20, 0));
        assertThat(honest.upTo(new KernelClock.Look(1010, 1000, 1020, 0)))
                .as("the looks take as long as the difference")
                .isZero();

        StolenTime stolen = new StolenTime();
        stolen.begin(look(0, 0, 0));
        assertThat(stolen.upTo(look(100, 130, 0))).as("wall time ran ahead").isEqualTo(30);
        stolen.begin(look(100, 500, 1));
        assertThat(stolen.upTo(look(200, 600, 1)))
                .as("until the kernel has caught up")
                .isEqualTo(30);
        assertThat(stolen.upTo(look(300, 900, 2))).as("switched out").isZero();
        stolen.begin(look(300, 900, 2));
        assertThat(stolen.upTo(look(400, 1000, 2))).as("long ago").isZero();
    }

    private Set<Breach> found() {
        return breaches.counts().breaches().keySet();
    }

    private static KernelClock.Look look(long cpuNs) {
        return look(cpuNs, cpuNs, 0);
    }

    private static KernelClock.Look look(long cpuNs, long wallNs, long switches) {
        return new KernelClock.Look(cpuNs, wallNs, wallNs, switches);
    }
}
