// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.diagnostics.ResyncCause;
import org.junit.jupiter.api.Test;

class ClockLedgerTest {
    private final ClockLedger ledger = new ClockLedger();

    private void add(long switches, long lost, long demotions) {
        ledger.add(asked -> asked == ResyncCause.SWITCH ? switches : 0, lost, demotions);
    }

    @Test
    void neverFalls() {
        add(10, 3, 1);
        add(7, 2, 0);
        assertThat(ledger.resyncs(ResyncCause.SWITCH)).isEqualTo(10);
        assertThat(ledger.lost()).isEqualTo(3);
        assertThat(ledger.demotions()).isEqualTo(1);
        add(12, 4, 2);
        assertThat(ledger.resyncs(ResyncCause.SWITCH)).isEqualTo(12);
        assertThat(ledger.lost()).isEqualTo(4);
        assertThat(ledger.demotions()).isEqualTo(2);
    }
}
