// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.demo.message.LawBreaches;
import org.junit.jupiter.api.Test;

class UnitLedgerTest {
    private final UnitLedger ledger = new UnitLedger();

    @Test
    void findsNothingWrongWithReadingsThatAgree() {
        ledger.charge(100, 90, 200, 180);
        ledger.charge(200, 180, 300, 260);
        ledger.settle(300);
        assertThat(ledger.breaches()).isEqualTo(new LawBreaches(2, 0, 0, 0));
        assertThat(ledger.unitsWithoutUserTime()).isZero();
    }

    @Test
    void findsNothingWrongWithUserTimeSpentAfterTheUnitsLastCpuReading() {
        ledger.charge(100, 100, 200, 203);
        ledger.settle(205);
        assertThat(ledger.breaches()).isEqualTo(new LawBreaches(1, 0, 0, 0));
    }

    @Test
    void countsUnitsThatWereChargedNoUserTime() {
        ledger.charge(100, 90, 200, 90);
        assertThat(ledger.unitsWithoutUserTime()).isEqualTo(1);
    }

    @Test
    void countsUnitsThatWereChargedMoreUserTimeThanCpuTime() {
        ledger.charge(1000, 0, 1100, 500);
        ledger.charge(1100, 500, 1200, 510);
        ledger.settle(1200);
        assertThat(ledger.breaches()).isEqualTo(new LawBreaches(2, 0, 0, 1));
    }

    @Test
    void countsUserTimeAboveTheNextCpuTimeAsOutOfRange() {
        ledger.charge(200, 200, 300, 310);
        ledger.settle(305);
        assertThat(ledger.breaches().outOfRange()).isEqualTo(1);
    }

    @Test
    void countsNegativeUserTimeAsOutOfRange() {
        ledger.charge(100, -1, 200, -1);
        ledger.settle(200);
        assertThat(ledger.breaches().outOfRange()).isEqualTo(1);
    }

    @Test
    void countsReadingsThatGoBackwardWithinAUnit() {
        ledger.charge(100, 90, 200, 80);
        ledger.charge(300, 90, 290, 90);
        assertThat(ledger.breaches().backward()).isEqualTo(2);
    }

    @Test
    void countsReadingsThatGoBackwardFromUnitToUnit() {
        ledger.charge(100, 90, 200, 180);
        ledger.charge(199, 180, 300, 190);
        ledger.charge(300, 189, 400, 200);
        assertThat(ledger.breaches().backward()).isEqualTo(2);
    }
}
