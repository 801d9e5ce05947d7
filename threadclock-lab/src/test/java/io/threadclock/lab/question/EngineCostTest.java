// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.lab.program.EngineProgram;
import io.threadclock.lab.program.EngineProgram.Slice;
import io.threadclock.lab.program.EngineProgram.Way;
import io.threadclock.lab.program.HistogramText;
import io.threadclock.lab.program.UnitLedger;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import io.threadclock.lab.results.ResultsDraft;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class EngineCostTest {
    private static final int ROUNDS = 6000;
    private static final List<Way> WITHOUT_AGENT = List.of(Way.NONE, Way.THREAD_MX_BEAN, Way.STOPWATCH);
    private static final List<Way> WITH_AGENT = List.of(Way.NONE, Way.THREAD_MX_BEAN);
    private static final List<Way> JUDGED = List.of(Way.NONE, Way.THREAD_MX_BEAN, Way.JUDGED);

    private final Jdk jdk = new Jdk(Path.of("/17"), "17.0.15", "");
    private final ResultsDraft draft = new ResultsDraft();
    private final EngineCost cost = new EngineCost(jdk, null, EngineCost.Plan.quick(), null, draft);

    @Test
    void givesEachContenderOneSliceInEveryRound() {
        List<Way> turns = EngineCost.inTurn(WITHOUT_AGENT, ROUNDS, new Random(1));
        assertThat(turns).hasSize(3 * ROUNDS);
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(turns.subList(3 * round, 3 * round + 3)).containsExactlyInAnyOrderElementsOf(WITHOUT_AGENT);
        }
    }

    @Test
    void drawsEveryOrderAboutEquallyOften() {
        List<Way> turns = EngineCost.inTurn(WITHOUT_AGENT, ROUNDS, new Random(1));
        Map<List<Way>, Integer> orders = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            orders.merge(List.copyOf(turns.subList(3 * round, 3 * round + 3)), 1, Integer::sum);
        }
        assertThat(orders).hasSize(6);
        assertThat(orders.values()).allSatisfy(times -> assertThat(times).isBetween(850, 1150));
    }

    @Test
    void hasARoundOfEachContenderForEachBlock() {
        cost.add(WITHOUT_AGENT, done(WITHOUT_AGENT, 100_000), false);
        cost.add(WITHOUT_AGENT, done(WITHOUT_AGENT, 200_000), false);
        assertThat(rounds("engine.throughput", "stock", "units of work")).containsExactly(10_000.0, 5000.0);
        assertThat(rounds("engine.cost", "threadclock", "CPU time")).containsExactly(0.0, 0.0);
    }

    @Test
    void leavesOutOffOfTheSecondHalf() {
        cost.add(WITHOUT_AGENT, done(WITHOUT_AGENT, 100_000), false);
        cost.add(WITH_AGENT, done(WITH_AGENT, 200_000), true);
        assertThat(rounds("engine.throughput", "off", "units of work")).containsExactly(10_000.0);
        assertThat(rounds("engine.throughput", "threadclock by ThreadMXBean", "units of work"))
                .containsExactly(5000.0);
    }

    @Test
    void saysHowLongAUnitTakesAtEveryPercentile() {
        cost.add(WITH_AGENT, done(WITH_AGENT, 1000), true);
        cost.finish();
        Measurement latency = results()
                .find(subject("engine.latency", "threadclock by ThreadMXBean", "units of work"))
                .orElseThrow();
        assertThat(latency.percentiles()).containsEntry(0.0, 1000.0).containsEntry(100.0, 2000.0);
        assertThat(latency.samples()).isEqualTo(2);
    }

    @Test
    void addsUpWhatWasJudgedOfEachHalfByItself() {
        cost.add(JUDGED, done(JUDGED, 1000), false);
        cost.add(JUDGED, done(JUDGED, 1000), false);
        cost.add(JUDGED, done(JUDGED, 1000), true);
        cost.finish();
        assertThat(rounds("engine.charges", "stock", "units with more user than CPU time"))
                .containsExactly(10.0);
        assertThat(rounds("engine.charges", "stock", "readings out of range or backward"))
                .containsExactly(14.0);
        assertThat(rounds("engine.charges", "threadclock by ThreadMXBean", "units without user time"))
                .containsExactly(2.0);
        assertThat(results().find(subject("engine.cost", "stock", "CPU time")))
                .as("what is compared")
                .isPresent();
    }

    @Test
    void makesBlocksShorterWhereTheirRoundsTakeLong() {
        assertThat(EngineCost.roundsPerBlock(6000, 4_000_000))
                .as("on an idle machine")
                .isEqualTo(50);
        assertThat(EngineCost.roundsPerBlock(6000, 50_000_000))
                .as("beside others")
                .isEqualTo(20);
        assertThat(EngineCost.roundsPerBlock(2000, 1_000_000_000))
                .as("beside many")
                .isEqualTo(5);
    }

    @Test
    void neverTakesMoreTimeThanThePlanNorNextToNone() {
        EngineCost.Plan plan = EngineCost.Plan.full();
        assertThat(plan.within(Long.MAX_VALUE)).isEqualTo(plan);
        assertThat(plan.within(plan.durationMs() / 2).durationMs())
                .isBetween(plan.durationMs() / 2, plan.durationMs() / 2 + 1000);
        assertThat(plan.within(-5000).withAgentMs()).isEqualTo(plan.withAgentMs() * 3 / 10);
    }

    private List<Double> rounds(String benchmark, String contender, String quantity) {
        return results()
                .find(subject(benchmark, contender, quantity))
                .map(Measurement::rounds)
                .orElseThrow();
    }

    private Results results() {
        return draft.finish(null);
    }

    private static Subject subject(String benchmark, String contender, String quantity) {
        return new Subject(benchmark, "17.0.15", contender, quantity, 1.0);
    }

    private static EngineProgram.Done done(List<Way> ways, double unitNs) {
        Histogram histogram = new Histogram(3);
        histogram.recordValue(1000);
        histogram.recordValue(2000);
        String text = HistogramText.of(histogram);
        Map<Way, String> unitNsOfEach = new EnumMap<>(Way.class);
        ways.forEach(way -> unitNsOfEach.put(way, text));
        return new EngineProgram.Done(
                ways.stream().map(way -> new Slice(way, unitNs, unitNs)).toList(),
                unitNsOfEach,
                new EngineProgram.Judged(new UnitLedger.Charges(100, 2, 3, 4, 5, 60, 70), text, text, text));
    }
}
