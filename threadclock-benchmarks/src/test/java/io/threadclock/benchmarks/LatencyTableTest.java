// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.harness.Jdk;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyTableTest {
    @Test
    void showsStockThreadclockTheirRatioAndTheTimerAlone() {
        List<String> lines = new LatencyTable(List.of(measurement())).section().table().toMarkdown().lines().toList();
        assertThat(lines.get(2)).startsWith("| 17.0.15 | user time | stock | 1 | 1,000 | 1,000 |");
        assertThat(lines.get(3)).startsWith("| 17.0.15 | user time | threadclock | 1 | 50.0 | 50 |");
        assertThat(lines.get(4)).startsWith("| 17.0.15 | user time | ratio |  | 20× | 20× |");
        assertThat(lines.get(8)).startsWith("| 17.0.15 | timer alone |  | 1 | 20.0 | 20 |");
    }

    @Test
    void statesTheTimersCostAndWhatIsLeftWithoutIt() {
        String notes = String.join("\n", new LatencyTable(List.of(measurement())).section().notes());
        assertThat(notes)
                .contains("timer's own cost is in every number", "980 (980–980) ns stock", "30.0 (30.0–30.0) ns");
    }

    private static LatencyMeasurement measurement() {
        LatencyMeasurement measurement = new LatencyMeasurement(new Jdk(Path.of("/jdk"), "17.0.15", ""), 16);
        add(measurement, ClockChoice.STOCK, 1000);
        add(measurement, ClockChoice.AUTO, 50);
        return measurement;
    }

    private static void add(LatencyMeasurement measurement, ClockChoice clock, long callNs) {
        for (Call call : List.of(Call.EMPTY, Call.USER_TIME, Call.CPU_TIME)) {
            Histogram histogram = new Histogram(3);
            histogram.recordValue(call == Call.EMPTY ? 20 : callNs);
            measurement.add(clock, call, histogram);
        }
    }
}
