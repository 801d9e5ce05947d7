// SPDX-License-Identifier: Apache-2.0
package io.threadclock.demo.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.demo.message.LawBreaches;
import org.junit.jupiter.api.Test;

class UnitLedgerTest {
    private final UnitLedger ledger = new UnitLedger();

    @Test
    void findsNothingWrongWithReadingsThatAgree() {
        ledger.charge(100, 90, 180, 200);
        ledger.charge(200, 180, 260, 300);
        assertThat(ledger.breaches()).isEqualTo(new LawBreaches(2, 0, 0, 0));
        assertThat(ledger.unitsWithoutUserTime()).isZero();
    }

    @Test
    void countsUnitsThatWereChargedNoUserTime() {
        ledger.charge(100, 90, 90, 200);
        assertThat(ledger.unitsWithoutUserTime()).isEqualTo(1);
    }

    @Test
    void countsUnitsThatWereChargedMoreUserTimeThanCpuTime() {
        ledger.charge(1000, 0, 500, 1100);
        assertThat(ledger.breaches()).isEqualTo(new LawBreaches(1, 0, 0, 1));
    }

    @Test
    void countsUserTimeAboveCpuTimeAsOutOfRange() {
        ledger.charge(100, 290, 300, 200);
        assertThat(ledger.breaches().outOfRange()).isEqualTo(1);
    }

    @Test
    void countsNegativeUserTimeAsOutOfRange() {
        ledger.charge(100, -1, -1, 200);
        assertThat(ledger.breaches().outOfRange()).isEqualTo(1);
    }

    @Test
    void countsReadingsThatGoBackwardWithinAUnit() {
        ledger.charge(100, 90, 80, 200);
        ledger.charge(300, 90, 90, 290);
        assertThat(ledger.breaches().backward()).isEqualTo(2);
    }

    @Test
    void countsReadingsThatGoBackwardFromUnitToUnit() {
        ledger.charge(100, 90, 180, 200);
        ledger.charge(199, 180, 190, 300);
        ledger.charge(300, 189, 200, 400);
        assertThat(ledger.breaches().backward()).isEqualTo(2);
    }
}
