// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.benchmarks.results.Benchmarks;
import io.threadclock.benchmarks.results.Contest;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineTargetsTest {
    @Test
    void areReachedIfAttributionTakesNextToNothingWhereStockTakesALot() {
        Target target = target(9499, 9951);
        assertThat(target.reached()).isEqualTo("0.49 % (0.49 %–0.49 %); stock 5.0 % (5.0 %–5.0 %)");
        assertThat(target.verdict()).isEqualTo(Target.YES);
    }

    @Test
    void areMissedIfAttributionTakesMore() {
        assertThat(target(9499, 9949).verdict()).isEqualTo(Target.NO);
    }

    @Test
    void areMissedWhereStockTakesTooLittleToTell() {
        assertThat(target(9501, 9999).verdict()).isEqualTo(Target.NO);
    }

    @Test
    void countTheMoreThroughputWithAttributionAsNothing() {
        assertThat(target(9000, 10_100).verdict()).isEqualTo(Target.YES);
    }

    @Test
    void sayWhereNothingWasMeasured() {
        List<Target> targets = new EngineTargets(run().results()).targets();
        assertThat(targets).extracting(Target::verdict).containsExactly(Target.NOT_MEASURED);
    }

    private static Target target(double stock, double threadclock) {
        MadeUpRun run = throughput(throughput(run(), Contest.STOCK, stock), Contest.THREADCLOCK, threadclock);
        return new EngineTargets(run.results()).targets().get(0);
    }

    private static MadeUpRun run() {
        return throughput(new MadeUpRun("17"), "off", 10_000);
    }

    private static MadeUpRun throughput(MadeUpRun run, String contender, double unitsPerSecond) {
        return run.figure(Benchmarks.ENGINE_THROUGHPUT, "17", contender, "units of work", 1.0, unitsPerSecond);
    }
}
