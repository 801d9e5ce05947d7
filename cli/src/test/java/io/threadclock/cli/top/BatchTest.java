// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.top;

import static io.threadclock.cli.top.MadeUpRates.usage;
import static io.threadclock.cli.top.MadeUpRates.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.cli.process.FakeProc;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadReader;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
        return printed(new ThreadTable(Order.CPU, "", folds), limit, 0, json, new Stacks(), sample);
    }

    private String printed(
            ThreadTable table, int limit, int stacks, boolean json, ThreadReader reader, UsageSample... samples) {
        StringWriter text = new StringWriter();
        WatchedProcess subject = new WatchedProcess(FakeProc.files(noProc), 4711, "App", true);
        Batch lines = new Batch(subject, table, limit, stacks, json, Printer.of(text));
        Stream.of(samples).forEach(sample -> lines.print(sample, reader));
        return text.toString();
    }

    /** Tells the stacks of all threads but 43. */
    private static class Stacks implements ThreadReader {
        private int asked;

        @Override
        public Map<Integer, List<String>> stacks(Set<Integer> tids) {
            asked++;
            return tids.stream()
                    .filter(tid -> tid != 43)
                    .collect(Collectors.toMap(tid -> tid, tid -> List.of("\"" + EVIL + "\" #1", "\tat a.B.c")));
        }

        @Override
        public Snapshot snapshot() {
            throw new IllegalStateException("the caller takes them");
        }
    }

    private String withStacks(int stacks, boolean json, Stacks reader) {
        UsageSample sample = MadeUpRates.sample(
                usage(41, "idle", 0, 0, 5_000_000_000L),
                usage(42, "busy-1", 0.25, 0.125, 1),
                usage(43, "busy-2", 0.5, 0.25, 2),
                usage(44, "busy-3", 0.1, 0.1, 3));
        return printed(new ThreadTable(Order.NAME, "", true), 1, stacks, json, reader, sample);
    }

    @Test
    void stacksAreThoseOfTheCostliestThreadsAndOfOneMoment() throws IOException {
        Stacks reader = new Stacks();
        assertThat(withStacks(2, false, reader))
                .endsWith(
                        """
                         busy-*
                        # stack tid=43 %cpu=75.00 busy-2
                        # stack tid=42 %cpu=37.50 busy-1
                            "evil?name    ??7" #1
                                at a.B.c

                        """);
        assertThat(new ObjectMapper()
                        .readTree(withStacks(9, true, reader))
                        .get("stacks")
                        .findValuesAsText("tid"))
                .as("threads that have used any CPU time")
                .containsExactly("43", "42", "44");
        withStacks(0, false, reader);
        assertThat(reader.asked).as("lists of stacks that were asked for").isEqualTo(2);
    }

    @Test
    void textIsTheSameColumnsForEver() {
        assertThat(printed(false, false, 9))
                .isEqualTo(
                        """
                        # 1970-01-01T00:00:01Z pid=4711 threads=0 %user=75.0 %system=25.0 %cpu=100.0 quota=none source=rseq %view=0.10 elapsed=1.000 oldest=0.000
                             TID JAVAID KIND    S   %USER %SYSTEM    %CPU       USER_S        CPU_S THREADS MOUNTS/S   %WAIT SWITCH/S   ALLOC_MB    MB/S NAME
                              41    141 java    ?   25.00   12.50   37.50     0.750000     1.500000       1        -   50.00   1234.5          -       - http-nio-8080-exec-1
                              42    142 java    ?    0.00    0.00    0.00     0.000000     0.000000       1        -       ?        ?          -       - evil?name???7

                        """);
    }

    /** At first by all bytes, then by those of the interval. */
    @Test
    void allocationsAreWhatTheJvmTells() {
        Iterator<String> told = List.of("600B", "200M").iterator();
        ThreadReader reader = new Stacks() {
            @Override
            public Map<Integer, List<String>> stacks(Set<Integer> tids) {
                return Map.of(41, stack("16580K"), 42, stack(told.next()));
            }

            private static List<String> stack(String allocated) {
                return List.of("\"a\" #1 elapsed=3.59s allocated=" + allocated + " tid=0x1");
            }
        };
        UsageSample sample = MadeUpRates.sample(
                usage(41, "web-1", 0, 0, 9), usage(42, "web-2", 0, 0, 8), usage(43, "of-jdk-8", 0, 0, 7));
        ThreadTable table = new ThreadTable(Order.ALLOC, "", false);
        List<String> rows =
                printed(table, 9, 0, false, reader, sample, sample).lines().toList();
        assertThat(rows.get(2)).endsWith("       17.0       ? web-1");
        assertThat(rows.get(3)).endsWith("        0.0       ? web-2");
        assertThat(rows.get(4)).endsWith("          ?       ? of-jdk-8");
        assertThat(rows.get(8)).matches(".* 209\\.7 +[1-9].* web-2");
        assertThat(rows.get(9)).endsWith("       17.0     0.0 web-1");
    }

    @Test
    void virtualThreadsHaveTheirMounts() throws IOException {
        UsageSample sample =
                MadeUpRates.sampleWithPools(usage(41, "ForkJoinPool-1-worker-1", 1, 0.125, 3_500_000_000L));
        assertThat(printed(sample, true, false, 9))
                .contains(
                        "       -      - virtual -   50.00   12.50   62.50     1.000000     2.000000       3   1234.5       -        -"
                                + "          -       - handler-*\n");
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
                new UsageSample(known.snapshot(), 1, known.threads(), Rate.UNKNOWN, 0, List.of(), Map.of());
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
