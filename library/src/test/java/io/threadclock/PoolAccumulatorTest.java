// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoolAccumulatorTest {
    /** The kernel gives no tid as high as this, and cannot tell the start of its thread. */
    private static final int NOBODYS_TID = Integer.MAX_VALUE;

    private static final Pattern THREAD = Pattern.compile("(\\d+)(?:@(\\d+))?:(\\S+) (\\d+)\\+(\\d+)");

    private final Map<String, PoolTimes> pools = new LinkedHashMap<>();
    private PoolAccumulator accumulator = withMaxPools(10);
    private final Map<Integer, Long> delaysNs = new HashMap<>();
    private int delaysRead;
    private long nowNs;

    private PoolAccumulator withMaxPools(int count) {
        return new PoolAccumulator(PoolName::of, count, pool -> pools.put(pool.name(), pool), this::delayNs);
    }

    private long delayNs(ThreadSample sample) {
        delaysRead++;
        return delaysNs.getOrDefault(sample.tid(), RunDelays.UNKNOWN);
    }

    private void add(String snapshot) {
        accumulator.add(samples(snapshot.replace("@N:", "@" + NOBODYS_TID + ":")), nowNs);
    }

    /**
     * Threads of one moment, each written {@code ID:NAME USER_NS+SYSTEM_NS}, or {@code ID@TID:…} if the kernel knows
     * it.
     */
    private static List<ThreadSample> samples(String threads) {
        return THREAD.matcher(threads)
                .results()
                .map(thread -> {
                    int tid = thread.group(2) == null ? 0 : Integer.parseInt(thread.group(2));
                    long userNs = Long.parseLong(thread.group(4));
                    long cpuNs = userNs + Long.parseLong(thread.group(5));
                    long id = Long.parseLong(thread.group(1));
                    return new ThreadSample(id, tid, thread.group(3), Thread.State.RUNNABLE, cpuNs, userNs, 0);
                })
                .toList();
    }

    private List<String> dispensable() {
        return accumulator.dispensable(nowNs).stream().map(PoolTimes::name).toList();
    }

    /** Snapshots one after the other, and the pools after them: user + system ns of how many threads. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            adds up threads          | 1:web-1 30+3 2:web-2 40+4 3:db-1 5+0                     | web-* 70+7 of 2, db-* 5+0 of 1
            keeps what ended         | 1:web-1 30+3 2:web-2 40+4; 2:web-2 41+6; 3:web-1 8+1     | web-* 79+10 of 1
            moves a renamed thread   | 1:idle-1 10+0; 1:busy-1 25+0                             | idle-* 10+0 of 0, busy-* 15+0 of 1
            main() has returned      | 1@N:main 30+3; 9@N:DestroyJavaVM 32+4                    | main 30+3 of 0, DestroyJavaVM 2+1 of 1
            leaves Java in between   | 1@N:call-1 30+0; ; 2@N:call-2 34+0; ; 3@N:call-3 35+0    | call-* 35+0 of 1
            another has its tid      | 1@N:web-1 30+0; 2@N:web-2 20+0                           | web-* 50+0 of 1
            falls in some source     | 1:web-1 30+10; 1:web-1 20+25                             | web-* 30+25 of 1
            catches up again         | 1:web-1 30+10; 1:web-1 20+25; 1:web-1 35+25              | web-* 35+25 of 1
            """)
    void countsWhatThreadsSpendOnceAndForEver(String what, String snapshots, String counted) {
        for (String snapshot : snapshots.split(";")) {
            add(snapshot);
        }
        assertThat(counted()).isEqualTo(counted);
    }

    private String counted() {
        return pools.values().stream()
                .map(pool -> String.format(
                        "%s %d+%d of %d", pool.name(), pool.userTimeNs(), pool.systemTimeNs(), pool.threads()))
                .collect(Collectors.joining(", "));
    }

    @Test
    void givesAllLaterPoolsOneName() {
        accumulator = withMaxPools(3);
        add("1:a-1 1+0 2:b-1 1+0 3:c-1 1+0 4:d-1 1+0 5:e-1 1+0 6:f-1 1+0");
        assertThat(counted()).isEqualTo("a-* 1+0 of 1, b-* 1+0 of 1, other 4+0 of 4");
    }

    @Test
    void addsUpTheRunDelaysOfAPool() {
        delaysNs.putAll(Map.of(11, 500L, 12, 40L));
        add("1@11:web-1 1+0 2@12:web-2 1+0");
        delaysNs.put(11, 700L);
        add("1@11:web-1 2+0 2@12:web-2 2+0");
        assertThat(pools.get("web-*").runDelayNs()).isEqualTo(700 + 40);
        assertThat(accumulator.hasRunDelays()).isTrue();
    }

    /** Snapshots of one thread, each {@code AT CPU DELAY} in ns, and what its pool then has; a delay may be unknown. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            divides from the first one | 10000 3000 500, 11000 3300 700, 12000 3300 700                    |  700 | 1500
            a wait that goes on        | 10000 3000 500, 11000 3000 500                                    |  500 | 1000
            never goes back            | 10000 3000 500, 11000 3000 500, 11600 3100 2000                   | 2000 | 1000
            a wait that is over is off | 10000 3000 500, 11000 3000 500, 11600 3100 2000, 14000 3100 2000  | 2000 | 2400
            not if it is unknown       | 10000 3000 ?, 11000 3100 ?                                        |    0 |    0
            keeps what was known       | 0 1 500, 0 2 ?                                                    |  500 |    0
            unknown for a while        | 0 1 500, 0 2 ?, 0 3 600                                           |  600 |    0
            """)
    void dividesTheWallTimeOfAThread(String what, String snapshots, long runDelayNs, long notRunningNs) {
        for (String snapshot : snapshots.split(", ")) {
            String[] figures = snapshot.split(" ");
            nowNs = Long.parseLong(figures[0]);
            delaysNs.put(11, figures[2].equals("?") ? RunDelays.UNKNOWN : Long.parseLong(figures[2]));
            add("1@11:web-1 " + figures[1] + "+0");
        }
        assertThat(pools.get("web-*").runDelayNs()).as("run delay").isEqualTo(runDelayNs);
        assertThat(pools.get("web-*").notRunningNs())
                .as("wall time without CPU time and run delay")
                .isEqualTo(notRunningNs);
    }

    @Test
    void knowsNoRunDelaysIfTheKernelTellsNone() {
        add("1@11:web-1 1+0");
        assertThat(accumulator.hasRunDelays()).isFalse();
    }

    @Test
    void readsTheRunDelaysOfThreadsThatHaveRun() {
        add("1@11:web-1 1+0 2@12:web-2 1+0");
        add("1@11:web-1 1+0 2@12:web-2 2+0");
        assertThat(delaysRead).isEqualTo(3);
    }

    private int callsLeft;

    private <T> T calling(T answer) {
        if (callsLeft-- == 0) {
            throw new IllegalStateException("planted");
        }
        return answer;
    }

    /** Adds a snapshot after one of the caller's functions may have thrown. */
    private void addInSpiteOfFailureAtCall(int call, String snapshot) {
        callsLeft = call;
        try {
            add(snapshot);
        } catch (IllegalStateException planted) {
            add(snapshot);
        }
    }

    /**
     * One thread goes on, one gets another name, one goes on as another, and one starts: 3 names, 3 pools, 4 run
     * delays.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void countsOnceWhereTheCallersFunctionsHaveThrown(int call) {
        accumulator = new PoolAccumulator(
                name -> calling(PoolName.of(name)),
                10,
                pool -> pools.put(calling(pool.name()), pool),
                tid -> calling(7L));
        callsLeft = Integer.MAX_VALUE;
        add("1@11:web-1 30+0 2@12:idle-1 10+0 3@N:main 20+0");
        addInSpiteOfFailureAtCall(call, "1@11:web-1 31+0 2@12:busy-1 25+0 4@N:DestroyJavaVM 22+0 5@13:db-1 5+0");
        assertThat(counted().split(", "))
                .containsExactlyInAnyOrder(
                        "web-* 31+0 of 1",
                        "idle-* 10+0 of 0",
                        "busy-* 15+0 of 1",
                        "main 20+0 of 0",
                        "DestroyJavaVM 2+0 of 1",
                        "db-* 5+0 of 1");
    }

    /** Fills places for two pools, one of which has had no thread for five minutes. */
    private void fill() {
        accumulator = withMaxPools(3);
        add("1:old-1 7+0 2:web-1 1+0");
        nowNs += PoolAccumulator.KEPT_NS;
        add("2:web-1 1+0");
    }

    @Test
    void keepsEmptyPoolsWhileThereIsRoom() {
        fill();
        assertThat(dispensable()).isEmpty();
    }

    @Test
    void offersAPoolThatHasLongBeenEmptyWhenAnotherNeedsItsPlace() {
        fill();
        add("3:new-1 5+0");
        assertThat(dispensable()).containsExactly("old-*");
        assertThat(accumulator.dismiss(pools.get("old-*"))).isTrue();
        add("3:new-1 8+0");
        assertThat(pools.get(PoolAccumulator.OTHER).userTimeNs())
                .as("until there was a place")
                .isEqualTo(5);
        assertThat(pools.get("new-*").userTimeNs()).as("since then").isEqualTo(3);
        assertThat(dispensable()).isEmpty();
    }

    @Test
    void keepsAPoolThatHasGotThreadsAgain() {
        fill();
        add("3:new-1 5+0");
        add("4:old-2 2+0");
        assertThat(accumulator.dismiss(pools.get("old-*"))).isFalse();
        assertThat(pools.get("old-*").userTimeNs()).isEqualTo(7 + 2);
    }
}
