// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Spread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.6 | ns | 1.6 ns",
                "99.96 | ns | 100 ns",
                "334 | ns | 334 ns",
                "10246 | ns | 10.2 µs",
                "28049407 | ns | 28.0 ms",
                "0.0045 | ms | 4.50 µs",
                "120000 | ms | 120 s",
                "0 | ns | 0.0 ns",
                "24576 | B | 24,576 B",
                "61034 | 1/s | 61,034 1/s"
            })
    void writesATimeInTheUnitThatSuitsIt(double amount, String unit, String written) {
        assertThat(Amount.withUnit(amount, unit)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 | 0", "0.00045 | 0.00045", "0.456 | 0.46", "17.84 | 17.8", "1234.4 | 1,234"})
    void keepsTheDigitsOfSmallAmounts(double amount, String written) {
        assertThat(Amount.plain(amount)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0.209 | 20.9 %", "0.0025 | 0.25 %", "-0.0006 | −0.06 %", "-0.00001 | 0.00 %", "1 | 100.0 %"})
    void writesAShareInPercent(double share, String written) {
        assertThat(Amount.percent(share)).isEqualTo(written);
    }

    @Test
    void writesNoRangeOfASingleRound() {
        assertThat(Amount.range(Spread.of(3), Amount::plain)).isEmpty();
        assertThat(Amount.range(Spread.of(3, 5, 4), Amount::plain)).isEqualTo("3.0–5.0");
    }
}
