// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.demo.message.LawBreaches;
import io.threadclock.lab.demo.message.PhaseResult;
import org.junit.jupiter.api.Test;

class ThreadTimeTableTest {
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void systemTimeIsWhatIsLeftOfCpuTime() {
        assertThat(row(3 * SECOND_NS, 4 * SECOND_NS, new LawBreaches(100, 0, 0, 0)))
                .containsSequence("3.00", "1.00", "4.00", "yes");
    }

    @Test
    void aReadingWithMoreUserTimeThanCpuTimeBreaksTheSum() {
        assertThat(row(3 * SECOND_NS, 4 * SECOND_NS, new LawBreaches(100, 1, 0, 0)))
                .contains("NO", "1 of 100");
    }

    @Test
    void aTotalWithMoreUserTimeThanCpuTimeBreaksTheSum() {
        assertThat(row(5 * SECOND_NS, 4 * SECOND_NS, new LawBreaches(100, 0, 0, 0)))
                .contains("NO");
    }

    private static String[] row(long userNs, long cpuNs, LawBreaches breaches) {
        PhaseResult total = new PhaseResult(
                100,
                0,
                SECOND_NS,
                userNs,
                cpuNs,
                cpuNs,
                0,
                0,
                breaches,
                PhaseResult.newHistogram(),
                PhaseResult.newHistogram());
        return ThreadTimeTable.row("17", 1, Contender.STOCK, total);
    }
}
