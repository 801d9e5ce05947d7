// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.diagnostics.ResyncCause;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClockLedgerTest {
    private final Map<ResyncCause, Long> counts = new EnumMap<>(ResyncCause.class);
    private double resyncNs = 500;
    private final ClockLedger ledger = new ClockLedger(cause -> cause == ResyncCause.FIRST ? 10 * resyncNs : resyncNs);

    private void add(ResyncCause cause, long count, long lost) {
        counts.put(cause, count);
        ledger.add(asked -> counts.getOrDefault(asked, 0L), lost, 0, 1);
    }

    @Test
    void neverFalls() {
        add(ResyncCause.SWITCH, 10, 3);
        add(ResyncCause.SWITCH, 7, 2);
        assertThat(ledger.resyncs(ResyncCause.SWITCH)).isEqualTo(10);
        assertThat(ledger.lost()).isEqualTo(3);
        add(ResyncCause.SWITCH, 12, 4);
        assertThat(ledger.resyncs(ResyncCause.SWITCH)).isEqualTo(12);
        assertThat(ledger.resyncsNs()).as("12 resyncs of 500 ns").isEqualTo(6_000);
    }

    @Test
    void chargesEachResyncWhatItTookWhenItWasCounted() {
        add(ResyncCause.SWITCH, 10, 0);
        resyncNs = 800;
        add(ResyncCause.SWITCH, 11, 0);
        assertThat(ledger.resyncsNs()).isEqualTo(10 * 500 + 800);
    }

    @Test
    void chargesNothingWhileNobodyKnowsWhatAResyncTakes() {
        resyncNs = Double.NaN;
        add(ResyncCause.SWITCH, 10, 0);
        assertThat(ledger.resyncsNs()).isZero();
    }

    @Test
    void chargesEachCauseWhatItTakes() {
        add(ResyncCause.FIRST, 2, 0);
        add(ResyncCause.SWITCH, 3, 0);
        assertThat(ledger.resyncsNs()).isEqualTo(2 * 5_000 + 3 * 500);
    }

    @Test
    void countsTheSystemCallsThatCausesMakeLikely() {
        add(ResyncCause.SWITCH, 10, 0);
        assertThat(ledger.systemCalls()).as("one each").isEqualTo(10);
        add(ResyncCause.WINDOW, 5, 0);
        assertThat(ledger.systemCalls())
                .as("three each where the window was over")
                .isEqualTo(10 + 3 * 5);
        add(ResyncCause.WINDOW, 5, 2);
        assertThat(ledger.systemCalls()).as("two more where it was lost").isEqualTo(10 + 3 * 5 + 2 * 2);
    }
}
