// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.benchmarks.program.Call;
import io.threadclock.harness.Jdk;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TargetTableTest {
    private static final String IN_C =
            """
            {"rounds": 31, "rows": [
              {"name": "bare counter (rdtsc)", "ns": 11.00, "min": 10.00, "max": 15.00, "ratio": 1.000},
              {"name": "CLOCK_THREAD_CPUTIME_ID", "ns": 210.00, "min": 200.00, "max": 300.00, "ratio": 20.000},
              {"name": "asleep: SCHED clock id", "ns": 210.0, "min": 200.0, "max": 300.0, "ratio": 20.0},
              {"name": "busy: SCHED clock id", "ns": 410.0, "min": 400.0, "max": 500.0, "ratio": 40.0},
              {"name": "rseq: user + CPU time", "ns": 13.30, "min": 13.00, "max": 16.25, "ratio": 1.201}
            ]}
            """;

    @Test
    void saysYesWhereAFigureIsReached() {
        assertThat(target(loop("17.0.15", 9000, 12), "user time, stock").verdict()).isEqualTo(Target.YES);
    }

    @Test
    void saysNoWhereAFigureIsMissed() {
        assertThat(target(loop("17.0.15", 9000, 20), "user time, stock").verdict()).isEqualTo(Target.NO);
    }

    @Test
    void saysWhereNoClockCouldReachIt() {
        Target target = target(loop("17.0.15", 4000, 10), "user time, stock");
        assertThat(target.reached()).isEqualTo("400× (400×–400×)");
        assertThat(target.bound()).isEqualTo("400×");
        assertThat(target.verdict()).isEqualTo(Target.OUT_OF_REACH);
    }

    @Test
    void boundsTheSourceOfSystemCallsByASystemCall() {
        assertThat(target(loop("17.0.15", 4000, 10), "source=clock").bound()).isEqualTo("20×");
    }

    @Test
    void says1Point2IsMissedBy1Point201() {
        assertThat(target(loop("17.0.15", 9000, 12), "source rseq").verdict()).isEqualTo(Target.NO);
    }

    @Test
    void boundsManyThreadsByTheirWaitForOneAnother() {
        Target target = target(loop("17.0.15", 9000, 12), "mean less timer");
        assertThat(target.bound()).as("980 ns / (10 ns x 16 threads / 2 CPUs)").isEqualTo("12×");
    }

    @Test
    void saysWhatWasNotMeasured() {
        assertThat(target(loop("17.0.15", 9000, 12), "source perf").verdict()).isEqualTo(Target.NOT_MEASURED);
    }

    @Test
    void leavesJdksOutThatParseNothing() {
        assertThat(table(loop("26.0.2", 240, 12)).targets()).noneMatch(target -> target.quantity().contains("JDK 26"));
    }

    @Test
    void namesThePercentilesAtWhichManyThreadsAreNotBetter() {
        Target target = target(loop("17.0.15", 9000, 12), "p50 to p99.99");
        assertThat(target.reached()).startsWith("not better at p50.0, p90.0");
        assertThat(target.verdict()).isEqualTo(Target.NO);
    }

    @Test
    void writesAllOfThemIntoTheTable() {
        String text = table(loop("17.0.15", 9000, 12)).section().toText();
        assertThat(text).contains("≥ 700×", "≥ 35×", "≥ 25×", "≥ 300×", "≤ 1.20×", "≤ 65,536", "≤ 256", "10.0 ns");
    }

    private static Target target(LoopMeasurement loop, String quantity) {
        return table(loop).targets().stream()
                .filter(target -> target.quantity().contains(quantity))
                .findFirst()
                .orElseThrow();
    }

    private static TargetTable table(LoopMeasurement loop) {
        MemoryUse use = new MemoryUse(8192, 0, 4096, 4096);
        MemoryMeasurement memory = new MemoryMeasurement(loop.jdk(), "rseq", use, use, 1001);
        NativeMeasurement inC = NativeBench.measurementIn(IN_C);
        return new TargetTable(inC, List.of(loop), List.of(slowOnManyThreads(loop)), List.of(), memory, 2);
    }

    private static LoopMeasurement loop(String version, double stockNs, double threadclockNs) {
        LoopMeasurement loop = new LoopMeasurement(new Jdk(Path.of("/jdk"), version, ""));
        for (Call call : List.of(Call.USER_TIME, Call.CPU_TIME)) {
            loop.add(ClockChoice.STOCK, call, stockNs);
            loop.add(ClockChoice.AUTO, call, threadclockNs);
            loop.add(ClockChoice.CLOCK, call, 250);
        }
        return loop;
    }

    private static LatencyMeasurement slowOnManyThreads(LoopMeasurement loop) {
        LatencyMeasurement latency = new LatencyMeasurement(loop.jdk(), 16);
        for (ClockChoice clock : List.of(ClockChoice.STOCK, ClockChoice.AUTO)) {
            for (Call call : List.of(Call.EMPTY, Call.USER_TIME)) {
                Histogram histogram = new Histogram(3);
                histogram.recordValue(call == Call.EMPTY ? 20 : 1000);
                latency.add(clock, call, histogram);
            }
        }
        return latency;
    }
}
