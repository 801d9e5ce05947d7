// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SoakReportTest {
    @Test
    void saysThatAllIsWell() {
        assertThat(SoakDocumentTest.report(0).faults()).isZero();
        assertThat(SoakDocumentTest.report(0).toText()).contains("1,000").endsWith("All that has to be 0 is 0.\n");
    }

    @Test
    void addsUpWhatIsNot() {
        assertThat(SoakDocumentTest.report(3).faults()).isEqualTo(3);
        assertThat(SoakDocumentTest.report(3).toText()).contains("Not 0: 3.");
    }
}
