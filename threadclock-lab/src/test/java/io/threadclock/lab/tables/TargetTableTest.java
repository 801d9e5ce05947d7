// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Contest;
import org.junit.jupiter.api.Test;

class TargetTableTest {
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
    void saysThatARatioIsMissedByAThousandth() {
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

    private static Target target(MadeUpRun run, String quantity) {
        return table(run).targets().stream()
                .filter(target -> target.quantity().contains(quantity))
                .findFirst()
                .orElseThrow();
    }

    private static TargetTable table(MadeUpRun run) {
        return new TargetTable(run.results());
    }

    /** On 16 threads it takes stock 980 ns, less the timer, and threadclock as much. */
    private static MadeUpRun loop(String jdk, double stockNs, double threadclockNs) {
        return new MadeUpRun(jdk)
                .inC("rseq: user + CPU time", 12.01)
                .loop(jdk, Contest.STOCK, stockNs)
                .loop(jdk, Contest.THREADCLOCK, threadclockNs)
                .loop(jdk, "source=clock", 250)
                .latency(jdk, Contest.STOCK, 1000)
                .latency(jdk, Contest.THREADCLOCK, 1000)
                .memory(jdk, 4096, 8192);
    }
}
