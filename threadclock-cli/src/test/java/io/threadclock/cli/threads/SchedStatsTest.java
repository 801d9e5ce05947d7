// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SchedStatsTest {
    private static final SchedStat FIRST = new SchedStat(10, 20, 30);
    private static final SchedStat SECOND = new SchedStat(11, 21, 31);

    private final Map<Integer, SchedStat> kernel = new HashMap<>(Map.of(7, FIRST, 8, FIRST));
    private final List<Integer> read = new ArrayList<>();
    private final SchedStats stats = new SchedStats(tid -> {
        read.add(tid);
        return Optional.ofNullable(kernel.get(tid));
    });

    private static ThreadSnapshot thread(int tid, long startNs, long cpuNs) {
        return new ThreadSnapshot(tid, startNs, 0, "worker", ThreadKind.JAVA, cpuNs, 0, 0);
    }

    private List<SchedStat> waits(ThreadSnapshot... threads) {
        return stats.addedTo(List.of(threads)).stream()
                .map(ThreadSnapshot::sched)
                .toList();
    }

    @Test
    void onlyThreadsThatHaveRunSinceAreReadAgain() {
        assertThat(waits(thread(7, 1, 100), thread(8, 1, 100))).containsExactly(FIRST, FIRST);
        kernel.put(7, SECOND);
        kernel.put(8, SECOND);
        assertThat(waits(thread(7, 1, 101), thread(8, 1, 100))).containsExactly(SECOND, FIRST);
        assertThat(read).containsExactly(7, 8, 7);
    }

    @Test
    void anotherThreadOfTheTidIsReadAnew() {
        waits(thread(7, 1, 100));
        kernel.put(7, SECOND);
        assertThat(waits(thread(7, 2, 100))).containsExactly(SECOND);
    }

    @Test
    void ofAThreadThatHasEndedNothingIsKnown() {
        waits(thread(7, 1, 100));
        kernel.remove(7);
        assertThat(waits(thread(7, 1, 101))).containsExactly((SchedStat) null);
    }
}
