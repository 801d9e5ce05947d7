// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import static io.threadclock.cli.top.MadeUpRates.usage;
import static io.threadclock.cli.top.MadeUpRates.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.process.Printer;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchTest {
    private static final String EVIL = "evil\nname\t\u009b\u202e7";
    private static final UsageSample SAMPLE = MadeUpRates.sample(
            waiting(0.5, 1234.5, usage(41, "http-nio-8080-exec-1", 0.25, 0.125, 1_500_000_000)),
            usage(42, EVIL, 0, 0, 0));

    @TempDir
    Path noProc;

    private String printed(boolean folds, boolean json, int limit) {
        return printed(SAMPLE, folds, json, limit);
    }

    private String printed(UsageSample sample, boolean folds, boolean json, int limit) {
        StringWriter text = new StringWriter();
        WatchedProcess subject = new WatchedProcess(FakeProc.files(noProc), 4711, "App", true);
        new Batch(subject, new ThreadTable(Order.CPU, "", folds), limit, json, Printer.of(text)).print(sample);
        return text.toString();
    }

    @Test
    void textIsTheSameColumnsForEver() {
        assertThat(printed(false, false, 9))
                .isEqualTo(
                        """
                        # 1970-01-01T00:00:01Z pid=4711 threads=0 %user=75.0 %system=25.0 %cpu=100.0 quota=none source=rseq %view=0.10 elapsed=1.000 oldest=0.000
                             TID JAVAID KIND    S   %USER %SYSTEM    %CPU       USER_S        CPU_S THREADS MOUNTS/S   %WAIT SWITCH/S NAME
                              41    141 java    ?   25.00   12.50   37.50     0.750000     1.500000       1        -   50.00   1234.5 http-nio-8080-exec-1
                              42    142 java    ?    0.00    0.00    0.00     0.000000     0.000000       1        -       ?        ? evil?name???7

                        """);
    }

    @Test
    void virtualThreadsHaveTheirMounts() throws IOException {
        UsageSample sample =
                MadeUpRates.sampleWithPools(usage(41, "ForkJoinPool-1-worker-1", 1, 0.125, 3_500_000_000L));
        assertThat(printed(sample, true, false, 9))
                .contains(
                        "       -      - virtual -   50.00   12.50   62.50     1.000000     2.000000       3   1234.5       -        -"
                                + " handler-*\n");
        JsonNode row = new ObjectMapper()
                .readTree(printed(sample, true, true, 9))
                .get("rows")
                .get(1);
        assertThat(row.toString())
                .isEqualTo("{\"name\":\"handler-*\",\"kind\":\"virtual\",\"threads\":3,\"mountsPerS\":1234.5,"
                        + "\"userUsageRatio\":0.5,\"systemUsageRatio\":0.125,\"cpuUsageRatio\":0.625,"
                        + "\"userNs\":1000000000,\"cpuNs\":2000000000}");
    }

    @Test
    void usageThatIsNotKnownIsAQuestionMarkAndAbsentInJson() {
        UsageSample known = MadeUpRates.sample(usage(41, "a", Double.NaN, Double.NaN, 0));
        UsageSample sample =
                new UsageSample(known.snapshot(), 1, known.threads(), Rate.UNKNOWN, known.ownRatio(), known.pools());
        assertThat(printed(sample, false, false, 9))
                .contains(" %user=? %system=? %cpu=? ", "?       ?       ?       ?     0.000000");
        assertThat(printed(sample, false, true, 9))
                .doesNotContain("cpuUsageRatio")
                .contains("\"cpuNs\":0");
    }

    @Test
    void noMoreRowsThanTheLimit() {
        assertThat(printed(false, false, 1)).contains("exec-1").doesNotContain("evil");
    }

    @Test
    void jsonIsOneObjectALine() throws IOException {
        String printed = printed(false, true, 9);
        assertThat(printed).hasLineCount(1);
        assertThat(new ObjectMapper().readTree(printed).at("/rows/1/name").asText())
                .isEqualTo(EVIL);
        assertThat(printed).doesNotContain("\u009b", "\u202e");
        JsonNode first = new ObjectMapper().readTree(printed).get("rows").get(0);
        assertThat(first.toString())
                .isEqualTo(
                        "{\"name\":\"http-nio-8080-exec-1\",\"kind\":\"java\",\"threads\":1,\"tid\":41,\"javaId\":141,"
                                + "\"state\":\"?\",\"waitingRatio\":0.5,\"switchesPerS\":1234.5,\"userUsageRatio\":0.25,\"systemUsageRatio\":0.125,\"cpuUsageRatio\":0.375,"
                                + "\"userNs\":750000000,\"cpuNs\":1500000000}");
    }
}
