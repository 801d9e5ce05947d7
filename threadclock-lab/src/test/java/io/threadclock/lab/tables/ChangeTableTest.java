// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Change;
import io.threadclock.lab.results.Results;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeTableTest {
    @Test
    void showsOldAndNewAndWhetherTheirSpreadsOverlap() {
        String text = new ChangeTable(Change.between(run(400, 410), run(200, 210))).toText();
        assertThat(text)
                .contains("snapshot, JDK 17, library, snapshot, 5,000", "405 (400–410)", "205 (200–210)", "0.506×")
                .containsPattern("0\\.506×\\s+Better")
                .contains("Worse: 0; Better: 1; ", "One round only, so no spread: 4.");
    }

    @Test
    void saysWhereNothingIsInBoth() {
        assertThat(new ChangeTable(List.of()).toText()).contains("No figure is in both runs");
    }

    private static Results run(double... ms) {
        return new MadeUpRun("17").figure(Benchmarks.SNAPSHOT, "17", "library", "snapshot", 5000.0, ms).results();
    }
}
