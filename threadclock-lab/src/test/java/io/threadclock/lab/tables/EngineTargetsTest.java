// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineTargetsTest {
    @Test
    void areReachedIfAttributionTakesNextToNothingWhereStockTakesALot() {
        Target target = target(5.1, 0.49);
        assertThat(target.reached()).isEqualTo("0.49 % (0.49 %–0.49 %); stock 5.1 % (5.1 %–5.1 %)");
        assertThat(target.verdict()).isEqualTo(Target.YES);
    }

    @Test
    void areMissedIfAttributionTakesMore() {
        assertThat(target(5.1, 0.51).verdict()).isEqualTo(Target.NO);
    }

    @Test
    void areMissedWhereStockTakesTooLittleToTell() {
        assertThat(target(4.9, 0.01).verdict()).isEqualTo(Target.NO);
    }

    @Test
    void countLessThanNothingAsNothing() {
        assertThat(target(10, -0.2).verdict()).isEqualTo(Target.YES);
    }

    @Test
    void saysBetweenWhatBoundsTheShareIs() {
        MadeUpRun run = cost(cost(run(), Contest.STOCK, 10), Contest.THREADCLOCK, 0.1, 0.2, 0.3);
        assertThat(new EngineTargets(run.results()).targets().get(0).reached())
                .startsWith("0.20 % (0.10 %–0.30 %); stock");
    }

    @Test
    void sayWhereNothingWasMeasured() {
        List<Target> targets = new EngineTargets(run().results()).targets();
        assertThat(targets).extracting(Target::verdict).containsExactly(Target.NOT_MEASURED);
    }

    private static Target target(double stockPercent, double threadclockPercent) {
        MadeUpRun run = cost(cost(run(), Contest.STOCK, stockPercent), Contest.THREADCLOCK, threadclockPercent);
        return new EngineTargets(run.results()).targets().get(0);
    }

    private static MadeUpRun run() {
        return new MadeUpRun("17").figure(Benchmarks.ENGINE_THROUGHPUT, "17", "off", "units of work", 1.0, 10_000);
    }

    private static MadeUpRun cost(MadeUpRun run, String contender, double... percents) {
        return run.figure(Benchmarks.ENGINE_COST, "17", contender, "units of work", 1.0, percents);
    }
}
