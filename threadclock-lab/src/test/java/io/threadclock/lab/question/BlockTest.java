// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.threadclock.lab.program.EngineProgram.Slice;
import io.threadclock.lab.program.EngineProgram.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockTest {
    private static final double UNIT_NS = 100_000;

    @Test
    void saysWhatShareOfTheThroughputIsLostAndHowMuchCpuTimeIsAdded() {
        Block block = new Block(
                List.of(new Slice(Way.NONE, UNIT_NS, 80_000), new Slice(Way.THREAD_MX_BEAN, 125_000, 100_000)), 2);
        assertThat(block.throughputCostPercent(Way.THREAD_MX_BEAN)).isCloseTo(20, within(1e-9));
        assertThat(block.cpuCostPercent(Way.THREAD_MX_BEAN)).isCloseTo(25, within(1e-9));
        assertThat(block.unitsPerSecond(Way.THREAD_MX_BEAN)).isCloseTo(8000, within(1e-9));
        assertThat(block.cpuNs(Way.NONE)).isCloseTo(80_000, within(1e-9));
    }

    /** The rounds lose 10 %, 1 % and nothing; the median slices of the two are of different rounds, and equal. */
    @Test
    void comparesWithinARoundSoThatADriftFallsOut() {
        Block block = new Block(
                List.of(
                        new Slice(Way.NONE, UNIT_NS, UNIT_NS),
                        new Slice(Way.STOPWATCH, UNIT_NS / 0.9, UNIT_NS),
                        new Slice(Way.STOPWATCH, 3 * UNIT_NS / 0.99, UNIT_NS),
                        new Slice(Way.NONE, 3 * UNIT_NS, UNIT_NS),
                        new Slice(Way.NONE, 2 * UNIT_NS, UNIT_NS),
                        new Slice(Way.STOPWATCH, 2 * UNIT_NS, UNIT_NS)),
                2);
        assertThat(block.throughputCostPercent(Way.STOPWATCH)).isCloseTo(1, within(1e-9));
    }

    /** Half the slices are longer, up to thirty times; a difference of means would be off by tens of per cent. */
    @Test
    void findsNoCostWhereThereIsNoneHoweverLopsidedTheNoiseIs() {
        Random random = new Random(1);
        List<Slice> slices = new ArrayList<>();
        for (int round = 0; round < 100_000; round++) {
            slices.add(noisy(Way.NONE, random));
            slices.add(noisy(Way.STOPWATCH, random));
        }
        assertThat(new Block(slices, 2).throughputCostPercent(Way.STOPWATCH)).isCloseTo(0, within(0.3));
    }

    @Test
    void refusesARoundThatIsNotWhole() {
        List<Slice> three = List.of(slice(Way.NONE), slice(Way.STOPWATCH), slice(Way.NONE));
        assertThatThrownBy(() -> new Block(three, 2)).hasMessage("3 slices in rounds of 2");
    }

    private static Slice noisy(Way way, Random random) {
        double delay = random.nextBoolean() ? 30 * Math.pow(random.nextDouble(), 8) : 0;
        double noise = 1 + 0.02 * random.nextDouble() + delay;
        return new Slice(way, UNIT_NS * noise, UNIT_NS);
    }

    private static Slice slice(Way way) {
        return new Slice(way, UNIT_NS, UNIT_NS);
    }
}
