// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.threadclock.CostsByKey.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests costs by key on the real clock. */
@SuppressWarnings("try")
class CostsByKeyTest {
    private static final int THREADS = 8;
    private static final long ROUNDS = 500;

    private final CostsByKey<Object> costs = new CostsByKey<>(2);
    private final LongAdder[] endedNs = {new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder()};

    private static long cpuNs(Snapshot<Object> usage) {
        Stream<AccountUsage> keys = usage.keys().stream().map(Map.Entry::getValue);
        return usage.rest().cpuTimeNs()
                + keys.mapToLong(AccountUsage::cpuTimeNs).sum();
    }

    private void work() {
        for (int i = 0; i < ROUNDS * endedNs.length; i++) {
            Integer key = i % endedNs.length;
            endedNs[key].add(Math.max(0, costs.enter(key).end()));
        }
    }

    @Test
    void eachPartIsItsKeysOrTheRestsAsAWholeAndWindowsAddUp() throws Exception {
        List<Thread> threads =
                Stream.generate(() -> new Thread(this::work)).limit(THREADS).toList();
        threads.forEach(Thread::start);
        Snapshot<Object> last = costs.read();
        long windowsNs = cpuNs(last);
        for (Thread thread : threads) {
            Snapshot<Object> now = costs.read();
            windowsNs += cpuNs(now.since(last));
            last = now;
            thread.join();
        }
        Snapshot<Object> all = costs.read();
        long allNs = Stream.of(endedNs).mapToLong(LongAdder::sum).sum();
        assertThat(List.of(cpuNs(all), windowsNs + cpuNs(all.since(last)))).containsOnly(allNs);
        assertThat(all.rest().parts()).isEqualTo(2 * THREADS * ROUNDS);
        assertThat(all.keys()).hasSize(2).allSatisfy(key -> {
            assertThat(key.getValue().parts()).isEqualTo(THREADS * ROUNDS);
            assertThat(key.getValue().cpuTimeNs()).isEqualTo(endedNs[(Integer) key.getKey()].sum());
        });
        assertThat(all.keys()).isSortedAccordingTo(Comparator.comparingLong(key -> -key.getValue()
                .cpuTimeNs()));
    }

    @Test
    void aMillionKeysHaveTwoPlacesAndTheRestAreOnePart() {
        try (CpuAccount.Part first = costs.enter(0L);
                CpuAccount.Part second = costs.enter(1L);
                CpuAccount.Part rest = costs.enter("another")) {
            LongStream.range(0, 1_000_000).forEach(key -> costs.enter(key).close());
        }
        assertThat(costs.read().keys()).extracting(Map.Entry::getKey).containsExactlyInAnyOrder(0L, 1L);
        assertThat(costs.read().rest().parts()).isOne();
    }

    @Test
    void aKeyThatFailsBeginsNothing() {
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        assertThatThrownBy(() -> costs.enter(endless)).isInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> costs.enter(null)).isInstanceOf(NullPointerException.class);
        assertThat(costs.read().keys()).isEmpty();
        assertThat(costs.read().rest().parts()).isZero();
    }

    @Test
    void aWindowIsOfReadingsOfTheSameCosts() {
        Snapshot<Object> read = costs.read();
        for (Snapshot<Object> other : List.of(read.since(read), new CostsByKey<>(1).read())) {
            assertThatThrownBy(() -> read.since(other)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> other.since(read)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static AccountUsage onePart(long wallNs, long notRunningNs, long unknownWaits) {
        return new AccountUsage(new long[] {0, 0, 0, 0, 0, 0, wallNs, notRunningNs, unknownWaits, 0, 0, 1, 0, 1});
    }

    @Test
    void waitsOfAPartThatHasBegunBeforeAreUnknownUntilItEnds() {
        AccountUsage ended = onePart(4, 3, 0);
        assertThat(onePart(2, 0, 1).since(onePart(1, 0, 1)).notRunningNs()).isEqualTo(-1);
        assertThat(ended.since(onePart(2, 0, 1)).notRunningNs()).isEqualTo(3);
        assertThat(ended.since(ended).notRunningNs()).isZero();
    }
}
