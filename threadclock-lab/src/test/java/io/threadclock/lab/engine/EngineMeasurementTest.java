// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.engine.program.Slice;
import io.threadclock.lab.engine.program.Turns;
import io.threadclock.lab.engine.program.Way;
import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class EngineMeasurementTest {
    private final EngineMeasurement measurement = new EngineMeasurement("17.0.15");

    @Test
    void hasARoundOfEachContenderForEachBlock() {
        measurement.add(EngineContender.WITHOUT_AGENT, turns(EngineContender.WITHOUT_AGENT, 100_000));
        measurement.add(EngineContender.WITHOUT_AGENT, turns(EngineContender.WITHOUT_AGENT, 200_000));
        assertThat(rounds("engine.throughput", "stock", "units of work")).containsExactly(10_000.0, 5000.0);
        assertThat(rounds("engine.cost", "threadclock", "CPU time")).containsExactly(0.0, 0.0);
    }

    @Test
    void leavesOutOffOfTheSecondHalf() {
        measurement.add(EngineContender.WITHOUT_AGENT, turns(EngineContender.WITHOUT_AGENT, 100_000));
        measurement.add(EngineContender.WITH_AGENT, turns(EngineContender.WITH_AGENT, 200_000));
        assertThat(rounds("engine.throughput", "off", "units of work")).containsExactly(10_000.0);
        assertThat(rounds("engine.throughput", "threadclock by ThreadMXBean", "units of work"))
                .containsExactly(5000.0);
    }

    @Test
    void saysHowLongAUnitTakesAtEveryPercentile() {
        measurement.add(EngineContender.WITH_AGENT, turns(EngineContender.WITH_AGENT, 1000));
        Distribution latency = measurement.distributions().get(0);
        assertThat(latency.subject())
                .isEqualTo(new Subject(
                        "engine.latency", "17.0.15", "threadclock by ThreadMXBean", "units of work", 1.0));
        assertThat(latency.percentiles()).containsEntry(0.0, 1000.0).containsEntry(100.0, 2000.0);
        assertThat(latency.count()).isEqualTo(2);
    }

    private List<Double> rounds(String benchmark, String contender, String quantity) {
        return measurement.series().stream()
                .filter(series -> series.subject()
                        .equals(new Subject(benchmark, "17.0.15", contender, quantity, 1.0)))
                .map(Series::rounds)
                .findFirst()
                .orElseThrow();
    }

    private static Turns turns(List<EngineContender> contenders, double unitNs) {
        List<Slice> slices = new ArrayList<>();
        Map<Way, Histogram> histograms = new EnumMap<>(Way.class);
        for (EngineContender contender : contenders) {
            slices.add(new Slice(contender.way(), unitNs, unitNs));
            Histogram histogram = new Histogram(3);
            histogram.recordValue(1000);
            histogram.recordValue(2000);
            histograms.put(contender.way(), histogram);
        }
        return new Turns(slices, histograms);
    }
}
