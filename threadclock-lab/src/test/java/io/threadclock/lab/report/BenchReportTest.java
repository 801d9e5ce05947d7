// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.program.LivesOfThreads.Work;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsFile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchReportTest {
    private static final Results RESULTS =
            MadeUpRun.ofEverything("17.0.15").note("perf was refused").results();

    @TempDir
    private Path folder;

    @Test
    void saysTheSameOfResultsThatWereReadFromAFile() {
        ResultsFile file = new ResultsFile(folder.resolve("results.json"));
        file.write(RESULTS);
        BenchReport read = new BenchReport(file.read());
        assertThat(read.toMarkdown()).isEqualTo(new BenchReport(RESULTS).toMarkdown());
        assertThat(new GrowthChart(file.read()).toSvg()).isEqualTo(new GrowthChart(RESULTS).toSvg());
    }

    @Test
    void namesCommandMachineAndDate() {
        assertThat(new BenchReport(RESULTS).toMarkdown())
                .startsWith("Measured by `./threadclock bench` on CPU (virtual machine), 2 CPUs, Linux 6.18, HZ=250, "
                        + "JDK 17.0.15 (Debian), 2026-11-21; load average before: 0.10.\n\n- perf was refused\n");
    }

    @Test
    void hasATableForEachBenchmark() {
        assertThat(new BenchReport(RESULTS).toMarkdown())
                .contains(
                        "| 17.0.15 | stock | 9,000",
                        "| 17.0.15 | threadclock (rseq) | 12.0 (12.0–12.0) | 750× (750×–750×) |",
                        "| library JNI user time | 13.0 (13.0–13.0) |",
                        "| 17.0.15 | stock user time | 1 | 9,000 | 9,000 |",
                        "| 17.0.15 | stock user time | 1 | 9.0 | 9.0 | 9.0 | 9.0 | 9.0 | 9.0 | 28,000 | 28,000 |",
                        "| library JNI, start + stop | 0.000200 |",
                        "| JDK | threads | 64 |",
                        "| JDK | depth | 16 |",
                        "| 17.0.15 | library | 0.412 (0.412–0.412) |",
                        "| 17.0.15 | stock | 8,040 (8,000–8,080) | 20 % (20 %–20 %) | 23 % (23 %–23 %) |",
                        "| 17.0.15 | 1,000 | attached |",
                        "(growth.svg)",
                        "| 17.0.15 | asleep | stock |",
                        "| 17.0.15 | 40.0 (40.0–40.0) |",
                        "| threads' records | 4,096 | 260,096 |");
    }

    @Test
    void leavesOutWhatWasNotMeasured() {
        Results loops = new MadeUpRun("17")
                .loop("17", Contest.STOCK, 9000)
                .loop("17", Contest.THREADCLOCK, 12)
                .results();
        assertThat(new BenchReport(loops).toMarkdown())
                .contains("One read in C", "plain loop")
                .doesNotContain("Attaching", "JMH", "snapshot", "database", "Memory");
        assertThat(new BenchReport(loops).toText()).contains("750×");
    }

    @Test
    void givesAReadmeFiveRowsAtMost() {
        assertThat(new BenchReport(RESULTS).toShortMarkdown())
                .contains(
                        "| JDK 17, `getCurrentThreadUserTime()` | 9,000 | 12.0 | 750× |",
                        "| JDK 17, user time on 16 threads at once, mean | 980 | 30.0 | 33× |",
                        "| JDK 17, user time of 1,000 threads in one call, per thread | 8,000 | 400 | 20× |",
                        "From C, one reading of user and CPU time costs: rseq 11.0 ns, clock 500 ns. Reading the bare counter costs 10.0 ns.");
        MadeUpRun run = new MadeUpRun("17.0.15", "25.0.3", "26.0.2");
        for (String jdk : List.of("17.0.15", "25.0.3", "26.0.2")) {
            for (String contender : List.of(Contest.STOCK, Contest.THREADCLOCK)) {
                run.loop(jdk, contender, 12).latency(jdk, contender, 50);
            }
            run.others(jdk, 8000, 400, 400);
        }
        Results many = run.results();
        assertThat(new BenchReport(many).toShortMarkdown().lines().filter(line -> line.startsWith("| JDK")))
                .hasSize(5)
                .anyMatch(row -> row.startsWith("| JDK 25, user time on 16"))
                .filteredOn(row -> row.startsWith("| JDK 26"))
                .singleElement()
                .satisfies(row -> assertThat(row).startsWith("| JDK 26, `getCurrentThreadUserTime()`"));
    }

    @Test
    void tellsAReadmeInOneLineWhatAccountsCostOnJdk25AndTheNewest() {
        MadeUpRun run = new MadeUpRun("21.0.1", "25.0.3", "28-ea").many("25.0.3", 600, 660);
        for (String jdk : List.of("21.0.1", "25.0.3", "28-ea")) {
            run.figure(Benchmarks.VIRTUAL, jdk, Contest.STOCK, Work.YIELD.toString(), null, 200);
            run.figure(Benchmarks.VIRTUAL, jdk, Contest.ACCOUNTED, Work.YIELD.toString(), null, 230);
        }
        assertThat(new BenchReport(run.results()).toShortVirtualMarkdown())
                .startsWith("On JDK 25, without and with an account, a yield takes 200 and 230 ns (1.15×), "
                        + "a parked thread 600 and 660 bytes of heap (1.10×). "
                        + "On JDK 28, without and with an account, a yield takes 200 and 230 ns (1.15×). Measured by `")
                .doesNotContain("\n");
    }

    @Test
    void showsTheLibraryToTheTerminal() {
        assertThat(new BenchReport(RESULTS).toText())
                .containsPattern("JDK 17, `ThreadClock.userTimeNs\\(\\)` \\(JNI\\) +9,100 +13.0 +700×");
    }

    @Test
    void claimsOfAProgramWhatSlicesInTurnCarry() {
        assertThat(new BenchReport(RESULTS).toShortMarkdown())
                .contains(
                        "A QuestDB on JDK 17 that reads both times",
                        "loses 20 % (20 %–20 %) of its throughput",
                        ", and " + "0.10 % (0.10 %–0.10 %) with threadclock");
    }
}
