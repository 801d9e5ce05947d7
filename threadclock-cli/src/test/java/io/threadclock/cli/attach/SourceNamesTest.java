// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceNamesTest {
    @Test
    void areThoseOfTheLibrary() {
        assertThat(SourceNames.ALL)
                .containsExactlyInAnyOrder(
                        SourceNames.AUTO,
                        SourceNames.RSEQ,
                        SourceNames.PERF,
                        SourceNames.CLOCK,
                        SourceNames.TICKS,
                        SourceNames.PROC,
                        SourceNames.IDS);
    }
}
