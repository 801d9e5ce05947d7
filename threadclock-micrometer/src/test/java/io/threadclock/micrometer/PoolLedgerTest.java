// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.Samples;
import io.threadclock.ThreadSample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolLedgerTest {
    /** The kernel gives no tid as high as this, and cannot tell the start of its thread. */
    private static final int NOBODYS_TID = Integer.MAX_VALUE;

    private final Map<String, PoolTimes> pools = new LinkedHashMap<>();
    private PoolLedger ledger = withMaxPools(10);
    private final Map<Integer, Long> delaysNs = new HashMap<>();
    private int delaysRead;
    private long nowNs;

    private PoolLedger withMaxPools(int count) {
        return new PoolLedger(new PoolNaming(List.of()), count, pool -> pools.put(pool.name(), pool), this::delayNs);
    }

    private long delayNs(int tid) {
        delaysRead++;
        return delaysNs.getOrDefault(tid, RunDelays.UNKNOWN);
    }

    private void add(List<ThreadSample> snapshot) {
        ledger.add(snapshot, nowNs);
    }

    private List<String> dispensable() {
        return ledger.dispensable(nowNs).stream().map(PoolTimes::name).toList();
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
        ledger = withMaxPools(3);
        List<ThreadSample> snapshot = new ArrayList<>();
        for (char letter = 'a'; letter <= 'f'; letter++) {
            snapshot.add(Samples.of(letter, letter + "-1", 1, 0));
        }
        add(snapshot);
        assertThat(pools.keySet()).containsExactly("a-*", "b-*", PoolLedger.OTHER);
        assertThat(pools.get(PoolLedger.OTHER).userTimeNs()).isEqualTo(4);
        assertThat(pools.get(PoolLedger.OTHER).threads()).isEqualTo(4);
    }

    @Test
    void addsUpTheRunDelaysOfAPool() {
        delaysNs.putAll(Map.of(11, 500L, 12, 40L));
        add(List.of(Samples.ofTid(11, 1, "web-1", 1, 0), Samples.ofTid(12, 2, "web-2", 1, 0)));
        delaysNs.put(11, 700L);
        add(List.of(Samples.ofTid(11, 1, "web-1", 2, 0), Samples.ofTid(12, 2, "web-2", 2, 0)));
        assertThat(pools.get("web-*").runDelayNs()).isEqualTo(700 + 40);
        assertThat(ledger.hasRunDelays()).isTrue();
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
        assertThat(ledger.hasRunDelays()).isFalse();
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

    /** Fills places for two pools, one of which has had no thread for five minutes. */
    private void fill() {
        ledger = withMaxPools(3);
        add(List.of(Samples.of(1, "old-1", 7, 0), Samples.of(2, "web-1", 1, 0)));
        nowNs += PoolLedger.KEPT_NS;
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
        assertThat(ledger.dismiss(pools.get("old-*"))).isTrue();
        add(List.of(Samples.of(3, "new-1", 8, 0)));
        assertThat(pools.get(PoolLedger.OTHER).userTimeNs())
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
        assertThat(ledger.dismiss(pools.get("old-*"))).isFalse();
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
