// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.bench.SegmentTruth.Carrier;
import io.threadclock.bench.SegmentTruth.Segment;
import org.junit.jupiter.api.Test;

class SegmentTruthTest {
    @Test
    void findsErrorsAndUnconservedSums() {
        assertThat(verdict(1_000_000, 500)).doesNotContain("promised");
        assertThat(verdict(1_000_000, -501)).contains("\terror of a segment at p99: 501 ns");
        assertThat(verdict(100_000, 200)).contains("\t0.200 % unconserved").doesNotContain("error");
        assertThat(new Segment(1, 141, 90, 100, 40).errorNs()).isEqualTo(1);
    }

    /** Of 100 segments of so many ns, each with a clock that says so much more. */
    private static String verdict(long ns, long moreNs) {
        SegmentTruth truth = new SegmentTruth();
        Carrier carrier = truth.carriers.computeIfAbsent(Thread.currentThread(), first -> new Carrier());
        for (int i = 0; i < 100; i++) {
            truth.segments.add(new Segment(1, ns + moreNs, ns, ns, 0));
            carrier.mounted(i * ns, (i + 1) * ns);
        }
        return truth.verdict();
    }

    @Test
    void countsAsStolenWhatWallTimeRanAheadUntilTheKernelHasCaughtUp() {
        Carrier carrier = new Carrier();
        carrier.begin(new BareClocks.Look(10, 0, 20, 0));
        assertThat(carrier.stolenNs(new BareClocks.Look(1010, 1000, 1020, 0))).isZero();
        assertThat(carrier.stolenNs(new BareClocks.Look(1010, 1030, 1040, 0))).isEqualTo(40);
        carrier.begin(new BareClocks.Look(1010, 1500, 1500, 1));
        assertThat(carrier.stolenNs(new BareClocks.Look(1110, 1600, 1600, 1))).isEqualTo(40);
        assertThat(carrier.stolenNs(new BareClocks.Look(1310, 1900, 1900, 2))).isZero();
    }
}
