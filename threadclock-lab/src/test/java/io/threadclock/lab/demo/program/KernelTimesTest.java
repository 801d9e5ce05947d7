// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KernelTimesTest {
    private static final String AFTER_COMM = " R 1 2 2 0 -1 4194560 87 0 0 0 123 45 0 0 20 0 33 0 99 1 2 3";

    @Test
    void areTheFieldsUtimeAndStimeInStepsOfTenMilliseconds() {
        assertThat(KernelTimes.parse("4711 (worker-0)" + AFTER_COMM))
                .isEqualTo(new KernelTimes(1_230_000_000L, 450_000_000L));
    }

    @Test
    void areFoundBehindACommOfParenthesesAndBlanks() {
        assertThat(KernelTimes.parse("4711 (a) R 9 (b c)" + AFTER_COMM))
                .isEqualTo(new KernelTimes(1_230_000_000L, 450_000_000L));
    }
}
