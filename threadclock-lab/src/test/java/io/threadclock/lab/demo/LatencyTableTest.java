// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.demo.message.PhaseResult;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyTableTest {
    /** 10,000 calls of 100 ns, the slowest 100 of them 2,000 ns, the slowest two 50,000 ns. */
    private final Histogram stockNs = histogram(9_900, 100, 98, 2_000, 2, 50_000);

    @Test
    void aRowHoldsCallsMeanPercentilesAndMaximum() {
        assertThat(LatencyTable.row("17", 8, "stock", stockNs))
                .containsExactly("17", "8", "stock", "10,000", "129", "100", "100", "100", "2,000", "50,015", "50,015");
    }

    @Test
    void theRatioRowDividesColumnByColumn() {
        Histogram threadclockNs = histogram(9_900, 50, 98, 500, 2, 100_000);
        assertThat(LatencyTable.ratioRow("17", 8, stockNs, threadclockNs))
                .containsExactly("17", "8", "ratio", "", "1.7×", "2.0×", "2.0×", "2.0×", "4.0×", "0.50×", "0.50×");
    }

    private static Histogram histogram(long... countsAndNs) {
        Histogram histogram = PhaseResult.newHistogram();
        for (int i = 0; i < countsAndNs.length; i += 2) {
            histogram.recordValueWithCount(countsAndNs[i + 1], countsAndNs[i]);
        }
        return histogram;
    }
}
