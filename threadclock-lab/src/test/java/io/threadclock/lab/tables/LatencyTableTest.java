// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatencyTableTest {
    private static final Results RESULTS = new MadeUpRun("17.0.15")
            .latency("17.0.15", Contest.STOCK, 1000)
            .latency("17.0.15", Contest.THREADCLOCK, 50)
            .results();

    @Test
    void showsStockThreadclockTheirRatioAndTheTimerAlone() {
        List<String> lines = new LatencyTable(RESULTS).section().table().toMarkdown().lines().toList();
        assertThat(lines.get(2)).startsWith("| 17.0.15 | user time | stock | 1 | 1,000 | 1,000 |");
        assertThat(lines.get(3)).startsWith("| 17.0.15 | user time | threadclock | 1 | 50.0 | 50 |");
        assertThat(lines.get(4)).startsWith("| 17.0.15 | user time | ratio |  | 20× | 20× |");
        assertThat(lines.get(8)).startsWith("| 17.0.15 | timer alone |  | 1 | 20.0 | 20 |");
    }

    @Test
    void statesTheTimersCostAndWhatIsLeftWithoutIt() {
        String notes = String.join("\n", new LatencyTable(RESULTS).section().notes());
        assertThat(notes)
                .contains("timer's own cost is in every number", "980 (980–980) ns stock", "30.0 (30.0–30.0) ns");
    }
}
