// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.Samples;
import io.threadclock.ThreadSample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolLedgerTest {
    private final Map<String, PoolTimes> pools = new LinkedHashMap<>();
    private PoolLedger ledger = withMaxPools(10);

    private PoolLedger withMaxPools(int count) {
        return new PoolLedger(new PoolNaming(List.of()), count, pool -> pools.put(pool.name(), pool));
    }

    @Test
    void addsUpTheThreadsOfAPool() {
        ledger.add(List.of(Samples.of(1, "web-1", 30, 3), Samples.of(2, "web-2", 40, 4), Samples.of(3, "db-1", 5, 0)));
        assertThat(pools.get("web-*").userTimeNs()).isEqualTo(70);
        assertThat(pools.get("web-*").systemTimeNs()).isEqualTo(7);
        assertThat(pools.get("web-*").threads()).isEqualTo(2);
        assertThat(pools.get("db-*").userTimeNs()).isEqualTo(5);
    }

    @Test
    void keepsWhatEndedThreadsHaveCost() {
        ledger.add(List.of(Samples.of(1, "web-1", 30, 3), Samples.of(2, "web-2", 40, 4)));
        ledger.add(List.of(Samples.of(2, "web-2", 41, 6)));
        ledger.add(List.of(Samples.of(3, "web-1", 8, 1)));
        assertThat(pools.get("web-*").userTimeNs()).isEqualTo(30 + 41 + 8);
        assertThat(pools.get("web-*").systemTimeNs()).isEqualTo(3 + 6 + 1);
        assertThat(pools.get("web-*").threads()).isEqualTo(1);
    }

    @Test
    void countsARenamedThreadForItsNewPoolFromThenOn() {
        ledger.add(List.of(Samples.of(1, "idle-1", 10, 0)));
        ledger.add(List.of(Samples.of(1, "busy-1", 25, 0)));
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
        ledger.add(snapshot);
        assertThat(pools.keySet()).containsExactly("a-*", "b-*", PoolLedger.OTHER);
        assertThat(pools.get(PoolLedger.OTHER).userTimeNs()).isEqualTo(4);
        assertThat(pools.get(PoolLedger.OTHER).threads()).isEqualTo(4);
    }

    @Test
    void neverFallsWhereASourceForComparisonDoes() {
        ledger.add(List.of(Samples.of(1, "web-1", 30, 10)));
        ledger.add(List.of(Samples.of(1, "web-1", 20, 25)));
        ledger.add(List.of(Samples.of(1, "web-1", 35, 25)));
        assertThat(pools.get("web-*").userTimeNs()).isEqualTo(35);
        assertThat(pools.get("web-*").systemTimeNs()).isEqualTo(25);
    }
}
