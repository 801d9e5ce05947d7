// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.harness.SetupException;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NativeMakeTest {
    private static final String READ = "{\"answer\": {\"subject\": {\"benchmark\": \"native\", \"contender\": "
            + "\"rseq: user + CPU time\", \"quantity\": \"read\"}, \"unit\": \"ns\", \"rounds\": [13.10, 16.25]}}";
    private static final String ERROR = "{\"answer\": {\"subject\": {\"benchmark\": \"accuracy.1s\", \"contender\": "
            + "\"ticks\", \"quantity\": \"user\", \"workload\": \"spin\"}, \"unit\": \"points\", \"samples\": 3, "
            + "\"statistics\": {\"bias\": -1.500, \"p95\": 2.125}}}";
    private static final String PRINTED = "  CC src/a.c\n# perf refused: EACCES\n" + READ + "\n" + ERROR + "\n";

    @Test
    void takesMeasurementsFromWhatMakePrints() {
        Subject read = new Subject("native", "", "rseq: user + CPU time", "read", null);
        Subject error = new Subject("accuracy.1s", "", "ticks", "user", null, "spin");
        assertThat(NativeMake.measurementsIn(PRINTED, "bench"))
                .containsExactly(
                        Measurement.of(read, "ns", List.of(13.1, 16.25)),
                        new Measurement(error, "points", List.of(), 3, Map.of("bias", -1.5, "p95", 2.125), null));
    }

    @Test
    void refusesOutputWithoutAMeasurementAndALineThatIsCutOff() {
        String cutOff = PRINTED.substring(0, PRINTED.length() - 6);
        for (String printed :
                List.of("", cutOff, PRINTED.replace("16.25", "16x25"), PRINTED.replace("rounds", "round"))) {
            assertThatThrownBy(() -> NativeMake.measurementsIn(printed, "bench"))
                    .as(printed)
                    .isInstanceOf(SetupException.class);
        }
    }
}
