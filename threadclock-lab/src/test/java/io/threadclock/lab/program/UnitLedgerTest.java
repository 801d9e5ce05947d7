// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnitLedgerTest {
    private final UnitLedger ledger = new UnitLedger();

    @Test
    void findsNothingWrongWithReadingsThatAgree() {
        ledger.charge(100, 90, 200, 180);
        ledger.charge(200, 180, 300, 260);
        ledger.settle(300);
        assertBroken(0, 0, 0);
        assertThat(ledger.charges().withoutUserTime()).isZero();
    }

    @Test
    void findsNothingWrongWithUserTimeSpentAfterTheUnitsLastCpuReading() {
        ledger.charge(100, 100, 200, 203);
        ledger.settle(205);
        assertBroken(0, 0, 0);
    }

    @Test
    void countsUnitsThatWereChargedNoUserTime() {
        ledger.charge(100, 90, 200, 90);
        assertThat(ledger.charges().withoutUserTime()).isEqualTo(1);
    }

    @Test
    void countsUnitsThatWereChargedMoreUserTimeThanCpuTime() {
        ledger.charge(1000, 0, 1100, 500);
        ledger.charge(1100, 500, 1200, 510);
        ledger.settle(1200);
        assertBroken(0, 0, 1);
    }

    @Test
    void countsUserTimeAboveTheNextCpuTimeAsOutOfRange() {
        ledger.charge(200, 200, 300, 310);
        ledger.settle(305);
        assertThat(ledger.charges().outOfRange()).isEqualTo(1);
    }

    @Test
    void countsNegativeUserTimeAsOutOfRange() {
        ledger.charge(100, -1, 200, -1);
        ledger.settle(200);
        assertThat(ledger.charges().outOfRange()).isEqualTo(1);
    }

    @Test
    void countsReadingsThatGoBackwardWithinAUnit() {
        ledger.charge(100, 90, 200, 80);
        ledger.charge(300, 90, 290, 90);
        assertThat(ledger.charges().backward()).isEqualTo(2);
    }

    @Test
    void countsReadingsThatGoBackwardFromUnitToUnit() {
        ledger.charge(100, 90, 200, 180);
        ledger.charge(199, 180, 300, 190);
        ledger.charge(300, 189, 400, 200);
        assertThat(ledger.charges().backward()).isEqualTo(2);
    }

    @Test
    void isSettledOnceForEachUnit() {
        ledger.charge(100, 0, 200, 500);
        ledger.settle(210);
        ledger.settle(220);
        ledger.charge(300, 500, 900, 600);
        assertBroken(1, 0, 1);
    }

    @Test
    void addsUpWhatWasCharged() {
        ledger.charge(100, 90, 200, 180);
        ledger.charge(1000, 900, 1200, 1000);
        assertThat(ledger.charges().cpuNs()).isEqualTo(300);
        assertThat(ledger.charges().userNs()).isEqualTo(190);
    }

    private void assertBroken(long outOfRange, long backward, long userAboveCpu) {
        assertThat(ledger.charges().outOfRange()).as("out of range").isEqualTo(outOfRange);
        assertThat(ledger.charges().backward()).as("backward").isEqualTo(backward);
        assertThat(ledger.charges().userAboveCpu())
                .as("more user than CPU time")
                .isEqualTo(userAboveCpu);
    }
}
