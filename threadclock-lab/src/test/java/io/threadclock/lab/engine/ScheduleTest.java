// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.engine.program.Way;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final int ROUNDS = 6000;

    @Test
    void givesEachContenderOneSliceInEveryRound() {
        List<Way> ways = new Schedule().rounds(EngineContender.WITHOUT_AGENT, ROUNDS);
        assertThat(ways).hasSize(3 * ROUNDS);
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(ways.subList(3 * round, 3 * round + 3))
                    .containsExactlyInAnyOrder(Way.NONE, Way.THREAD_MX_BEAN, Way.STOPWATCH);
        }
    }

    @Test
    void drawsEveryOrderAboutEquallyOften() {
        List<Way> ways = new Schedule().rounds(EngineContender.WITHOUT_AGENT, ROUNDS);
        Map<List<Way>, Integer> orders = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            orders.merge(List.copyOf(ways.subList(3 * round, 3 * round + 3)), 1, Integer::sum);
        }
        assertThat(orders).hasSize(6);
        assertThat(orders.values()).allSatisfy(times -> assertThat(times).isBetween(850, 1150));
    }
}
