// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolAccumulatorTest {
    /** The kernel gives no tid as high as this, and cannot tell the start of its thread. */
    private static final int NOBODYS_TID = Integer.MAX_VALUE;

    private final Map<String, PoolTimes> pools = new LinkedHashMap<>();
    private PoolAccumulator accumulator = withMaxPools(10);
    private final Map<Integer, Long> delaysNs = new HashMap<>();
    private int delaysRead;
    private long nowNs;

    private PoolAccumulator withMaxPools(int count) {
        return new PoolAccumulator(PoolName::of, count, pool -> pools.put(pool.name(), pool), this::delayNs);
    }

    private long delayNs(int tid) {
        delaysRead++;
        return delaysNs.getOrDefault(tid, RunDelays.UNKNOWN);
    }

    private void add(List<ThreadSample> snapshot) {
        accumulator.add(snapshot, nowNs);
    }

    private List<String> dispensable() {
        return accumulator.dispensable(nowNs).stream().map(PoolTimes::name).toList();
    }

    @Test
    void addsUpTheThreadsOfAPool() {
        add(List.of(Samples.of(1, "web-1", 30, 3), Samples.of(2, "web-2", 40, 4), Samples.of(3, "db-1", 5, 0)));
        assertThat(pools.get("web-*").userTimeNs()).isEqualTo(70);
        assertThat(pools.get("web-*").systemTimeNs()).isEqualTo(7);
        assertThat(pools.get("web-*").threads()).isEqualTo(2);
        assertThat(pools.get("db-*").userTimeNs()).isEqualTo(5);
    }

    @Test
    void keepsWhatEndedThreadsHaveCost() {
        add(List.of(Samples.of(1, "web-1", 30, 3), Samples.of(2, "web-2", 40, 4)));
        add(List.of(Samples.of(2, "web-2", 41, 6)));
        add(List.of(Samples.of(3, "web-1", 8, 1)));
        assertThat(pools.get("web-*").userTimeNs()).isEqualTo(30 + 41 + 8);
        assertThat(pools.get("web-*").systemTimeNs()).isEqualTo(3 + 6 + 1);
        assertThat(pools.get("web-*").threads()).isEqualTo(1);
    }

    @Test
    void countsARenamedThreadForItsNewPoolFromThenOn() {
        add(List.of(Samples.of(1, "idle-1", 10, 0)));
        add(List.of(Samples.of(1, "busy-1", 25, 0)));
        assertThat(pools.get("idle-*").userTimeNs()).isEqualTo(10);
        assertThat(pools.get("idle-*").threads()).isZero();
        assertThat(pools.get("busy-*").userTimeNs()).isEqualTo(15);
    }

    @Test
    void givesAllLaterPoolsOneName() {
        accumulator = withMaxPools(3);
        List<ThreadSample> snapshot = new ArrayList<>();
        for (char letter = 'a'; letter <= 'f'; letter++) {
            snapshot.add(Samples.of(letter, letter + "-1", 1, 0));
        }
        add(snapshot);
        assertThat(pools.keySet()).containsExactly("a-*", "b-*", PoolAccumulator.OTHER);
        assertThat(pools.get(PoolAccumulator.OTHER).userTimeNs()).isEqualTo(4);
        assertThat(pools.get(PoolAccumulator.OTHER).threads()).isEqualTo(4);
    }

    @Test
    void addsUpTheRunDelaysOfAPool() {
        delaysNs.putAll(Map.of(11, 500L, 12, 40L));
        add(List.of(Samples.ofTid(11, 1, "web-1", 1, 0), Samples.ofTid(12, 2, "web-2", 1, 0)));
        delaysNs.put(11, 700L);
        add(List.of(Samples.ofTid(11, 1, "web-1", 2, 0), Samples.ofTid(12, 2, "web-2", 2, 0)));
        assertThat(pools.get("web-*").runDelayNs()).isEqualTo(700 + 40);
        assertThat(accumulator.hasRunDelays()).isTrue();
    }

    private void addAt(long atNs, long cpuNs) {
        nowNs = atNs;
        add(List.of(Samples.ofTid(11, 1, "web-1", cpuNs, 0)));
    }

    @Test
    void dividesTheWallTimeOfAThreadFromItsFirstSnapshotOn() {
        delaysNs.put(11, 500L);
        addAt(10_000, 3_000);
        delaysNs.put(11, 700L);
        addAt(11_000, 3_300);
        addAt(12_000, 3_300);
        assertThat(pools.get("web-*").runDelayNs() - 500).isEqualTo(200);
        assertThat(pools.get("web-*").notRunningNs())
                .as("of 2,000 ns, without 300 ns of CPU time and 200 ns of run delay")
                .isEqualTo(1_500);
    }

    @Test
    void takesAWaitThatIsOverOffTheTimeNotRunningThatComesNext() {
        delaysNs.put(11, 500L);
        addAt(10_000, 3_000);
        addAt(11_000, 3_000);
        assertThat(pools.get("web-*").notRunningNs())
                .as("with a wait that goes on")
                .isEqualTo(1_000);
        delaysNs.put(11, 2_000L);
        addAt(11_600, 3_100);
        assertThat(pools.get("web-*").notRunningNs()).as("never goes back").isEqualTo(1_000);
        addAt(14_000, 3_100);
        assertThat(pools.get("web-*").notRunningNs())
                .as("of 4,000 ns, without 100 ns of CPU time and 1,500 ns of run delay")
                .isEqualTo(2_400);
    }

    @Test
    void doesNotCountThreadsOfUnknownRunDelayAsNotRunning() {
        addAt(10_000, 3_000);
        addAt(11_000, 3_100);
        assertThat(pools.get("web-*").notRunningNs()).isZero();
    }

    @Test
    void goesOnWithARunDelayThatIsUnknownForAWhile() {
        delaysNs.put(11, 500L);
        add(List.of(Samples.ofTid(11, 1, "web-1", 1, 0)));
        delaysNs.remove(11);
        add(List.of(Samples.ofTid(11, 1, "web-1", 2, 0)));
        assertThat(pools.get("web-*").runDelayNs()).isEqualTo(500);
        delaysNs.put(11, 600L);
        add(List.of(Samples.ofTid(11, 1, "web-1", 3, 0)));
        assertThat(pools.get("web-*").runDelayNs()).isEqualTo(600);
    }

    @Test
    void knowsNoRunDelaysIfTheKernelTellsNone() {
        add(List.of(Samples.ofTid(11, 1, "web-1", 1, 0)));
        assertThat(accumulator.hasRunDelays()).isFalse();
    }

    @Test
    void readsTheRunDelaysOfThreadsThatHaveRun() {
        add(List.of(Samples.ofTid(11, 1, "web-1", 1, 0), Samples.ofTid(12, 2, "web-2", 1, 0)));
        add(List.of(Samples.ofTid(11, 1, "web-1", 1, 0), Samples.ofTid(12, 2, "web-2", 2, 0)));
        assertThat(delaysRead).isEqualTo(3);
    }

    /** This happens when main() has returned. */
    @Test
    void countsOnceWhatAThreadOfTheKernelSpendsAsOneOfJavaAfterTheOther() {
        add(List.of(Samples.ofTid(NOBODYS_TID, 1, "main", 30, 3)));
        add(List.of(Samples.ofTid(NOBODYS_TID, 9, "DestroyJavaVM", 32, 4)));
        assertThat(pools.get("main").userTimeNs()).isEqualTo(30);
        assertThat(pools.get("DestroyJavaVM").userTimeNs()).isEqualTo(2);
        assertThat(pools.get("DestroyJavaVM").systemTimeNs()).isEqualTo(1);
    }

    /** Native code attaches its thread for each call. */
    @Test
    void countsOnceWhatAThreadHasSpentThatIsNotAThreadOfJavaInBetween() {
        add(List.of(Samples.ofTid(NOBODYS_TID, 1, "callback-1", 30, 0)));
        add(List.of());
        add(List.of(Samples.ofTid(NOBODYS_TID, 2, "callback-2", 34, 0)));
        add(List.of());
        add(List.of(Samples.ofTid(NOBODYS_TID, 3, "callback-3", 35, 0)));
        assertThat(pools.get("callback-*").userTimeNs()).isEqualTo(35);
    }

    @Test
    void countsAThreadThatHasTheTidOfOneThatHasEndedFromItsStart() {
        add(List.of(Samples.ofTid(NOBODYS_TID, 1, "web-1", 30, 0)));
        add(List.of(Samples.ofTid(NOBODYS_TID, 2, "web-2", 20, 0)));
        assertThat(pools.get("web-*").userTimeNs()).isEqualTo(30 + 20);
    }

    private int callsLeft;

    private <T> T calling(T answer) {
        if (callsLeft-- == 0) {
            throw new IllegalStateException("planted");
        }
        return answer;
    }

    /** Adds a snapshot after one of the caller's functions may have thrown. */
    private void addInSpiteOfFailureAtCall(int call, List<ThreadSample> snapshot) {
        callsLeft = call;
        try {
            add(snapshot);
        } catch (IllegalStateException planted) {
            add(snapshot);
        }
    }

    /** One thread goes on, one gets another name, one goes on as another, and one starts: 3 names, 3 pools, 4 run delays. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void countsOnceWhereTheCallersFunctionsHaveThrown(int call) {
        accumulator = new PoolAccumulator(
                name -> calling(PoolName.of(name)),
                10,
                pool -> pools.put(calling(pool.name()), pool),
                tid -> calling(7L));
        callsLeft = Integer.MAX_VALUE;
        add(List.of(
                Samples.ofTid(11, 1, "web-1", 30, 0),
                Samples.ofTid(12, 2, "idle-1", 10, 0),
                Samples.ofTid(NOBODYS_TID, 3, "main", 20, 0)));
        addInSpiteOfFailureAtCall(
                call,
                List.of(
                        Samples.ofTid(11, 1, "web-1", 31, 0),
                        Samples.ofTid(12, 2, "busy-1", 25, 0),
                        Samples.ofTid(NOBODYS_TID, 4, "DestroyJavaVM", 22, 0),
                        Samples.ofTid(13, 5, "db-1", 5, 0)));
        assertThat(pools.values())
                .extracting(pool -> pool.name() + " " + pool.userTimeNs())
                .containsExactlyInAnyOrder(
                        "web-* 31", "idle-* 10", "busy-* 15", "main 20", "DestroyJavaVM 2", "db-* 5");
    }

    /** Fills places for two pools, one of which has had no thread for five minutes. */
    private void fill() {
        accumulator = withMaxPools(3);
        add(List.of(Samples.of(1, "old-1", 7, 0), Samples.of(2, "web-1", 1, 0)));
        nowNs += PoolAccumulator.KEPT_NS;
        add(List.of(Samples.of(2, "web-1", 1, 0)));
    }

    @Test
    void keepsEmptyPoolsWhileThereIsRoom() {
        fill();
        assertThat(dispensable()).isEmpty();
    }

    @Test
    void offersAPoolThatHasLongBeenEmptyWhenAnotherNeedsItsPlace() {
        fill();
        add(List.of(Samples.of(3, "new-1", 5, 0)));
        assertThat(dispensable()).containsExactly("old-*");
        assertThat(accumulator.dismiss(pools.get("old-*"))).isTrue();
        add(List.of(Samples.of(3, "new-1", 8, 0)));
        assertThat(pools.get(PoolAccumulator.OTHER).userTimeNs())
                .as("until there was a place")
                .isEqualTo(5);
        assertThat(pools.get("new-*").userTimeNs()).as("since then").isEqualTo(3);
        assertThat(dispensable()).isEmpty();
    }

    @Test
    void keepsAPoolThatHasGotThreadsAgain() {
        fill();
        add(List.of(Samples.of(3, "new-1", 5, 0)));
        add(List.of(Samples.of(4, "old-2", 2, 0)));
        assertThat(accumulator.dismiss(pools.get("old-*"))).isFalse();
        assertThat(pools.get("old-*").userTimeNs()).isEqualTo(7 + 2);
    }

    @Test
    void neverFallsWhereASourceForComparisonDoes() {
        add(List.of(Samples.of(1, "web-1", 30, 10)));
        add(List.of(Samples.of(1, "web-1", 20, 25)));
        add(List.of(Samples.of(1, "web-1", 35, 25)));
        assertThat(pools.get("web-*").userTimeNs()).isEqualTo(35);
        assertThat(pools.get("web-*").systemTimeNs()).isEqualTo(25);
    }
}
