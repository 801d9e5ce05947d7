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
        assertThat(AgentReturnCode.refusal("attaching", 0)).isEmpty();
    }

    @Test
    void tellsWhyAViewIsRefused() {
        assertThat(AgentReturnCode.refusal("looking", 24107).orElseThrow())
                .hasMessageStartingWith(
                        "looking: it cannot show its threads, because it has too many open files (EMFILE). ");
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101, 102, 103, 104, 105, 106, 107, 108, 110, 1, -1, 24107, 77107, 24108})
    void everyOtherNumberIsADocumentedLine(int code) {
        Refusal refusal = Documented.documented(
                AgentReturnCode.refusal("attaching to process 7", code).orElseThrow());
        assertThat(refusal).hasMessageMatching("attaching to process 7: [^.]+\\. .+\\.");
    }
}
