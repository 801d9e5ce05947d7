// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Two splits whose quanta use the time that the test tells. */
class SplitSchedulerTest {
    private final List<Told> splits = new ArrayList<>();
    private final SplitScheduler scheduler =
            new SplitScheduler(SplitSchedulerTest::daemon, Arrays.asList(null, null), this::newSplit);

    @Test
    void letsTheSplitThatHasUsedTheLeastTimeRunNext() throws Exception {
        List<Integer> ran = new ArrayList<>();
        scheduler.run(5, (client, attribution) -> {
            int split = splits.indexOf(attribution);
            ran.add(split);
            splits.get(split).ns += split == 0 ? 25 : 10;
        });
        assertThat(ran).containsExactly(0, 1, 1, 1, 0);
    }

    /** Each reading of a virtual thread that is not accounted is -1. */
    @Test
    void failsIfATimeIsNotKnown() {
        assertThatThrownBy(() ->
                        scheduler.run(1, (client, attribution) -> splits.get(splits.indexOf(attribution)).ns -= 2))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("used -2 ns");
    }

    /** A clock that has run ahead of the kernel stands still for a while. */
    @Test
    void goesOnWhereAQuantumReadsAsNothing() throws Exception {
        List<Object> ran = new ArrayList<>();
        scheduler.run(3, (client, attribution) -> ran.add(attribution));
        assertThat(ran).hasSize(3);
    }

    private Attribution newSplit() {
        Told split = new Told();
        splits.add(split);
        return split;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    private static final class Told extends Attribution {
        private long ns;

        @Override
        void start() {}

        @Override
        void stop() {}

        @Override
        long usedNs() {
            return ns;
        }
    }
}
