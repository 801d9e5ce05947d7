// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Spread;
import io.threadclock.lab.report.ThreadTables.Memory;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import org.junit.jupiter.api.Test;

class BenchTablesTest {
    private final MadeUpRun run = new MadeUpRun("17");

    @Test
    void haveUserAndCpuTimeOfAnArraySideBySide() {
        run.figure(Benchmarks.ARRAY, "17", Contest.STOCK, "user time", 1000.0, 8000);
        run.figure(Benchmarks.ARRAY, "17", Contest.ATTACHED, "user time", 1000.0, 400);
        run.figure(Benchmarks.ARRAY, "17", Contest.STOCK, "CPU time", 1000.0, 360);
        run.figure(Benchmarks.ARRAY, "17", Contest.ATTACHED, "CPU time", 1000.0, 180);
        assertThat(new ThreadTables(run.results()).array().toMarkdown())
                .contains("| 17 | 1,000 | stock | 8,000 (8,000–8,000) |  | 360 (360–360) |  |")
                .contains("| 17 | 1,000 | attached | 400 (400–400) | 20× (20×–20×) "
                        + "| 180 (180–180) | 2.0× (2.0×–2.0×) |");
    }

    @Test
    void haveUserAndCpuTimeByIdSideBySide() {
        run.figure(Benchmarks.BY_ID, "17", Contest.STOCK, "user time, busy, reads itself", null, 8000);
        run.figure(Benchmarks.BY_ID, "17", Contest.STOCK, "CPU time, busy, reads itself", null, 360);
        assertThat(new ThreadTables(run.results()).byId().toMarkdown())
                .contains("| 17 | busy, reads itself | stock | 8,000 (8,000–8,000) |  | 360 (360–360) |  |");
    }

    @Test
    void haveARowForEachThingThatVirtualThreadsDoInEachWay() {
        run.figure(Benchmarks.VIRTUAL, "25", Contest.STOCK, "unmount + mount, yield", null, 200);
        run.figure(Benchmarks.VIRTUAL, "25", Contest.ACCOUNTED, "unmount + mount, yield", null, 230);
        assertThat(new ThreadTables(run.results()).virtual().toMarkdown())
                .contains("| 25 | unmount + mount, yield, 1 rounds | stock | 200 (200–200) |  |")
                .contains(
                        "| 25 | unmount + mount, yield, 1 rounds | accounted | 230 (230–230) | 1.15× (1.15×–1.15×) |");
    }

    @Test
    void haveWhatAnAccountAddsToEachOfManyVirtualThreads() {
        assertThat(new ThreadTables(run.many("25", 600, 660).results()).many().toMarkdown())
                .contains("| 25 | 1,000,000 | parked, bytes of heap a thread | 600 (600–600) | 660 (660–660) "
                        + "| 60.0 (60.0–60.0) | 1.10× (1.10×–1.10×) |")
                .contains("| 25 | 1,000,000 | ended, bytes of heap a thread | 600 (600–600) | 660 (660–660) "
                        + "| 60.0 (60.0–60.0) |  |");
    }

    @Test
    void haveWhatASpanCostsMeasuredAndNot() {
        assertThat(new ThreadTables(run.spans("25", 345, 735).results()).spans().toMarkdown())
                .contains("| 25 | a span with one scope, 1 rounds | 345 (345–345) | 735 (735–735) | 390 (390–390) |");
    }

    @Test
    void haveARowForEachThingThatProgramsDoWithThreads() {
        run.lifecycle("17", "thread start + end", 100, 110, 105);
        assertThat(new ThreadTables(run.results()).presence().toMarkdown())
                .contains("| 17 | thread start + end, 1 rounds | 100 (100–100) | 110 (110–110) | 1.10× (1.10×–1.10×) "
                        + "| 105 (105–105) | 1.05× (1.05×–1.05×) |");
    }

    @Test
    void haveACallOnManyThreadsBesideTheTimerAlone() {
        run.latency("17", Contest.STOCK, 1000).latency("17", Contest.THREADCLOCK, 50);
        Table table = new ReadTables(run.results()).latency();
        assertThat(table.toMarkdown())
                .contains("| 17 | user time | stock | 1 | 1,000 | 1,000 |")
                .contains("| 17 | user time | threadclock | 1 | 50.0 | 50 |")
                .contains("| 17 | user time | ratio |  | 20× | 20× |")
                .contains("| 17 | timer alone |  | 1 | 20.0 | 20 |")
                .contains("timer's own cost is in every number", "980 (980–980) ns stock", "30.0 (30.0–30.0) ns");
    }

    @Test
    void takeTheTimerOffBothMeansOfALatencyRoundByRound() {
        latency(new double[] {20, 20}, new double[] {1020, 420}, new double[] {40, 20}, new double[] {50, 40});
        assertThat(Latency.all(run.results()).get(0).gainAtMean("user time")).isEqualTo(new Spread(60, 20, 100));
    }

    @Test
    void takeALatencyWithoutTheTimerForANanosecondAtLeast() {
        latency(new double[] {20}, new double[] {1020}, new double[] {40}, new double[] {30});
        assertThat(Latency.all(run.results()).get(0).gainAtMean("user time")).isEqualTo(new Spread(1000, 1000, 1000));
    }

    private void latency(double[] stockTimer, double[] stock, double[] threadclockTimer, double[] threadclock) {
        run.figure(Benchmarks.LATENCY, "17", Contest.STOCK, "timer", 16.0, stockTimer)
                .figure(Benchmarks.LATENCY, "17", Contest.STOCK, "user time", 16.0, stock)
                .figure(Benchmarks.LATENCY, "17", Contest.THREADCLOCK, "timer", 16.0, threadclockTimer)
                .figure(Benchmarks.LATENCY, "17", Contest.THREADCLOCK, "user time", 16.0, threadclock);
    }

    @Test
    void giveAThreadsMemoryAsTheGrowthDividedByTheThreadsThatWereAdded() {
        Memory memory = Memory.of(run.memory("17", 4096, 4096 + 256_000).results());
        assertThat(memory.bytesPerThread()).isEqualTo(256.0);
        assertThat(memory.ownBytes(1))
                .as("without what is shared with the page cache")
                .isEqualTo(8192 + 4096 + 4096);
    }
}
