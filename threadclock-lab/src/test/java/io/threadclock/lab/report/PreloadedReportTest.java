// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import org.junit.jupiter.api.Test;

class PreloadedReportTest {
    private final MadeUpRun run = new MadeUpRun("25");

    @Test
    void tellsTheRatioOfTheRounds() {
        measured("reader", new double[] {600, 800, 1000}, new double[] {60, 40, 50});
        assertThat(new PreloadedReport(run.results()).toText())
                .containsPattern("reader +800 \\(600–1,000\\) +50\\.0 \\(40\\.0–60\\.0\\) +20× \\(10×–20×\\)\\n");
    }

    @Test
    void saysOfAGainThatIsNotSeenInEachRoundThatItIsLost() {
        measured("database", new double[] {100, 100, 100}, new double[] {101, 98, 97});
        assertThat(new PreloadedReport(run.results()).toText()).contains("lost in the noise");
    }

    private void measured(String program, double[] stockNs, double[] preloadedNs) {
        run.figure(Benchmarks.PRELOAD, "", Contest.STOCK, program, null, stockNs)
                .figure(Benchmarks.PRELOAD, "", Contest.PRELOADED, program, null, preloadedNs);
    }
}
