// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static io.threadclock.cli.threads.MadeUp.S;
import static io.threadclock.cli.threads.MadeUp.awaited;
import static io.threadclock.cli.threads.MadeUp.thread;
import static io.threadclock.cli.threads.MadeUp.waited;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.threads.ProcessSnapshot;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadSnapshot;
import io.threadclock.cli.threads.VirtualPool;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JvmTotalsTest {
    private final Map<String, PoolTotals> pools = new HashMap<>();
    private final List<String> gone = new ArrayList<>();
    private final List<String> virtual = new ArrayList<>();
    private final JvmTotals totals = new JvmTotals(new JvmTotals.Listener() {
        @Override
        public void onPool(String name, PoolTotals pool, boolean hasWaits) {
            pools.put(name, pool);
        }

        @Override
        public void onPoolGone(String name) {
            gone.add(name);
        }

        @Override
        public void onVirtualPool(String name) {
            virtual.add(name);
        }
    });

    private void take(long takenNs, ThreadSnapshot... threads) {
        take(takenNs, List.of(threads), List.of());
    }

    private void take(long takenNs, List<ThreadSnapshot> threads, List<VirtualPool> virtualPools) {
        totals.take(new Snapshot(
                takenNs,
                Instant.EPOCH,
                new ProcessSnapshot(0, 0, takenNs),
                threads,
                threads.size(),
                "rseq",
                0,
                virtualPools));
    }

    @Test
    void threadsOfAPoolAddUpFromTheirStarts() {
        take(0, thread(1, 5, "http-1", 10, 1), thread(2, 5, "http-2", 20, 2));
        take(S, thread(1, 5, "http-1", 15, 2), thread(2, 5, "http-2", 20, 2));
        PoolTotals http = pools.get("http-*");
        assertThat(http.userNs()).isEqualTo(35);
        assertThat(http.systemNs()).isEqualTo(4);
        assertThat(http.threads()).isEqualTo(2);
    }

    @Test
    void aThreadThatHasEndedStaysCountedAndAnotherOneOfItsTidBeginsAnew() {
        take(0, thread(1, 5, "http-1", 10, 0), thread(2, 5, "http-2", 5, 0));
        take(S, new ThreadSnapshot(1, 6, 1, "http-3", ThreadKind.JAVA, 3, 3, 0));
        assertThat(pools.get("http-*").userNs()).isEqualTo(18);
        assertThat(pools.get("http-*").threads()).isEqualTo(1);
    }

    @Test
    void timeThatGoesBackIsNotSubtracted() {
        take(0, thread(1, 5, "a", 10, 10));
        take(S, thread(1, 5, "a", 8, 12));
        assertThat(pools.get("a").userNs()).isEqualTo(10);
        assertThat(pools.get("a").systemNs()).isEqualTo(12);
    }

    @Test
    void waitsAndTheTimeWithoutWishToRunAreThoseSinceTheThreadWasFound() {
        take(0, waited(5, 3, thread(1, 5, "a", 0, 0)));
        take(S, waited(105, 7, new ThreadSnapshot(1, 5, 1, "a", ThreadKind.JAVA, 200, 150, 1000)));
        PoolTotals pool = pools.get("a");
        assertThat(pool.runDelayNs()).isEqualTo(105);
        assertThat(pool.switches()).isEqualTo(7);
        assertThat(pool.notRunningNs()).isEqualTo(1000 - 200 - 100);
    }

    @Test
    void theJvmsOwnThreadsHaveKindsAndTheAgentsNothing() {
        take(
                0,
                thread(1, 5, "GC Thread#0", 10, 0),
                thread(2, 5, "C2 CompilerThread0", 20, 0),
                thread(3, 5, "VM Thread", 30, 0),
                new ThreadSnapshot(4, 5, 0, "threadclock", ThreadKind.VIEW, 9, 9, 0));
        assertThat(JvmTotals.KINDS).extracting(kind -> totals.of(kind).cpuNs()).containsExactly(10L, 20L, 30L);
        assertThat(pools).isEmpty();
    }

    @Test
    void aThreadCountsOnceItsNameIsKnown() {
        take(0, awaited(thread(1, 5, "http-nio-8080-e", 10, 0)));
        assertThat(pools).isEmpty();
        take(S, thread(1, 5, "http-nio-8080-exec-1", 15, 0));
        assertThat(pools).containsOnlyKeys("http-nio-8080-exec-*");
        assertThat(pools.get("http-nio-8080-exec-*").userNs()).isEqualTo(15);
    }

    @Test
    void aNameThatDoesNotComeIsTheKernels() {
        take(0, awaited(thread(1, 5, "slow", 1, 0)), awaited(thread(2, 5, "short", 7, 0)));
        take(S, awaited(thread(1, 5, "slow", 2, 0)));
        assertThat(pools).containsOnlyKeys("short");
        assertThat(pools.get("short").userNs()).isEqualTo(7);
        assertThat(pools.get("short").threads()).isZero();
        take(13 * S, awaited(thread(1, 5, "slow", 3, 0)));
        assertThat(pools.get("slow").userNs()).isEqualTo(3);
    }

    @Test
    void poolsBeyondTheMostAreOne() {
        take(
                0,
                IntStream.range(0, 150)
                        .mapToObj(i -> thread(i + 1, 5, "a" + "b".repeat(i), 1, 0))
                        .toArray(ThreadSnapshot[]::new));
        assertThat(pools).hasSize(Bounds.METERED_POOLS);
        assertThat(pools.get(JvmTotals.OTHER).userNs()).isEqualTo(150 - 99);
    }

    @Test
    void aPoolWithoutThreadsGoesAfterAWhile() {
        take(0, thread(1, 5, "a", 1, 0));
        take(S);
        take(JvmTotals.KEPT_NS);
        assertThat(gone).isEmpty();
        take(JvmTotals.KEPT_NS + S);
        assertThat(gone).containsExactly("a");
        take(JvmTotals.KEPT_NS + 2 * S, thread(1, 5, "a", 3, 0));
        assertThat(pools.get("a").userNs()).isEqualTo(3);
    }

    @Test
    void virtualPoolsAreToldOnceAndKeepTheirLastFigures() {
        VirtualPool pool = new VirtualPool(3, VirtualPool.Kind.NAMED, "handler-*", 9, 4, 2, 1);
        take(0, List.of(), List.of(pool));
        take(S, List.of(), List.of());
        assertThat(virtual).containsExactly("handler-*");
        assertThat(totals.virtualPool("handler-*")).isEqualTo(pool);
    }

    /** An agent has few, and always the same; another program in its place may tell new ones each time. */
    @Test
    void virtualPoolsBeyondTheMostAreOne() {
        for (int look = 0; look < 3; look++) {
            String prefix = "a" + look + "-";
            take(
                    look,
                    List.of(),
                    IntStream.range(0, 150)
                            .mapToObj(i -> new VirtualPool(i, VirtualPool.Kind.NAMED, prefix + i, 1, 1, 1, 1))
                            .toList());
        }
        assertThat(virtual).hasSize(Bounds.METERED_POOLS).doesNotHaveDuplicates();
        assertThat(totals.virtualPool("(other names)").cpuNs()).isEqualTo(150);
    }

    @Test
    void labelsAreFitForATerminalAndPoolsThatDifferInWhatIsNotAreOne() {
        take(
                0,
                List.of(thread(1, 5, "a\u001b", 1, 0), thread(2, 5, "a\u202e", 2, 0)),
                List.of(new VirtualPool(3, VirtualPool.Kind.NAMED, "b\u0007", 9, 4, 2, 1)));
        assertThat(pools).containsOnlyKeys("a?");
        assertThat(pools.get("a?").userNs()).isEqualTo(3);
        assertThat(virtual).containsExactly("b?");
    }
}
