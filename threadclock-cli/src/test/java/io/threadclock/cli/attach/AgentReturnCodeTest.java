// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.Documented;
import io.threadclock.cli.process.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentReturnCodeTest {
    @Test
    void zeroIsSuccess() {
        assertThat(AgentReturnCode.of(0).refusal("attaching")).isEmpty();
    }

    @Test
    void theErrnoOfARefusedViewIsItsReason() {
        assertThat(AgentReturnCode.of(24_107).refusal("looking").orElseThrow().answer())
                .contains("too many open files");
        assertThat(AgentReturnCode.of(5_107)).isEqualTo(AgentReturnCode.VIEW_REFUSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101, 102, 103, 104, 105, 106, 107, 108, 1, -1, 2_107, 13_107, 24_107, 98_107, 5_107})
    void everyOtherNumberIsADocumentedLine(int code) {
        Refusal refusal = Documented.documented(
                AgentReturnCode.of(code).refusal("attaching to process 7").orElseThrow());
        assertThat(refusal).hasMessageMatching("attaching to process 7: [^.]+\\. .+\\.");
    }
}
