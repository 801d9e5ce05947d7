// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static io.threadclock.cli.export.ExportedMetric.CGROUP_QUOTA;
import static io.threadclock.cli.export.ExportedMetric.JVM_CPU_TIME;
import static io.threadclock.cli.export.ExportedMetric.POOL_CPU_TIME;
import static io.threadclock.cli.export.ExportedMetric.POOL_NOT_RUNNING;
import static io.threadclock.cli.export.ExportedMetric.POOL_RUN_DELAY;
import static io.threadclock.cli.export.ExportedMetric.POOL_THREADS;
import static io.threadclock.cli.export.ExportedMetric.PROCESS_CPU_TIME;
import static io.threadclock.cli.export.ExportedMetric.VIRTUAL_CPU_TIME;
import static io.threadclock.cli.export.ExportedMetric.VIRTUAL_THREADS;
import static io.threadclock.cli.threads.MadeUp.S;
import static io.threadclock.cli.threads.MadeUp.awaited;
import static io.threadclock.cli.threads.MadeUp.thread;
import static io.threadclock.cli.threads.MadeUp.waited;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.CpuQuota;
import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.threads.ProcessSnapshot;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadSnapshot;
import io.threadclock.cli.threads.VirtualPool;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JvmFiguresTest {
    private final JvmFigures figures = new JvmFigures();

    private void take(long takenNs, ThreadSnapshot... threads) {
        take(takenNs, List.of(threads), List.of());
    }

    private void take(long takenNs, List<ThreadSnapshot> threads, List<VirtualPool> virtualPools) {
        figures.add(snapshot(takenNs, takenNs, threads, virtualPools));
    }

    private static Snapshot snapshot(
            long takenNs, long cpuNs, List<ThreadSnapshot> threads, List<VirtualPool> virtualPools) {
        ProcessSnapshot process = new ProcessSnapshot(cpuNs, cpuNs, takenNs);
        return new Snapshot(takenNs, Instant.EPOCH, process, threads, threads.size(), "rseq", 0, virtualPools);
    }

    /** The series of a metric: what each is of, and its value, rounded; times in ns. */
    private List<String> series(ExportedMetric metric) {
        return figures.now().stream()
                .filter(figure -> figure.metric() == metric)
                .map(figure ->
                        String.join(" ", figure.of()) + " " + Math.round(figure.value() * (metric.isTime() ? S : 1)))
                .toList();
    }

    private Map<String, Long> usersByPool() {
        return figures.now().stream()
                .filter(figure ->
                        figure.metric() == POOL_CPU_TIME && figure.of().contains("user"))
                .collect(Collectors.toMap(figure -> figure.of().get(0), figure -> Math.round(figure.value() * S)));
    }

    @Test
    void thereIsNothingBeforeTheFirstSnapshot() {
        assertThat(figures.now()).isEmpty();
    }

    @Test
    void threadsOfAPoolAddUpFromTheirStarts() {
        take(0, thread(1, 5, "http-1", 10, 1), thread(2, 5, "http-2", 20, 2));
        take(S, thread(1, 5, "http-1", 15, 2), thread(2, 5, "http-2", 20, 2));
        assertThat(series(POOL_CPU_TIME)).containsExactly("http-* user 35", "http-* system 4");
        assertThat(series(POOL_THREADS)).containsExactly("http-* 2");
    }

    @Test
    void aThreadThatHasEndedStaysCountedAndAnotherOneOfItsTidBeginsAnew() {
        take(0, thread(1, 5, "http-1", 10, 0), thread(2, 5, "http-2", 5, 0));
        take(S, new ThreadSnapshot(1, 6 * S, 1, "http-3", ThreadKind.JAVA, 13, 13, 0));
        assertThat(usersByPool()).isEqualTo(Map.of("http-*", 28L));
        assertThat(series(POOL_THREADS)).containsExactly("http-* 1");
    }

    @Test
    void timeThatGoesBackIsNotSubtracted() {
        take(0, thread(1, 5, "a", 10, 10));
        take(S, thread(1, 5, "a", 8, 12));
        figures.add(snapshot(2 * S, 7, List.of(), List.of()));
        assertThat(series(POOL_CPU_TIME)).containsExactly("a user 10", "a system 12");
        assertThat(series(PROCESS_CPU_TIME)).contains("user " + S);
    }

    @Test
    void waitsCountFromTheStartAndTheTimeWithoutWishToRunSinceTheThreadWasFound() {
        take(0, waited(5, 3, thread(1, 5, "a", 0, 0)));
        take(1000, waited(105, 7, thread(1, 5, "a", 150, 50)));
        assertThat(series(POOL_RUN_DELAY)).containsExactly("a 105");
        assertThat(series(POOL_NOT_RUNNING)).containsExactly("a " + (1000 - 200 - 100));
    }

    @Test
    void waitsThatTheKernelDoesNotTellAreMissingAndNotZero() {
        take(0, thread(1, 5, "a", 1, 0));
        assertThat(series(POOL_RUN_DELAY)).isEmpty();
        assertThat(series(POOL_NOT_RUNNING)).isEmpty();
    }

    @Test
    void theJvmsOwnThreadsHaveKindsAndTheAgentsNothing() {
        take(
                0,
                thread(1, 5, "GC Thread#0", 10, 0),
                thread(2, 5, "C2 CompilerThread0", 20, 0),
                thread(3, 5, "VM Thread", 30, 0),
                new ThreadSnapshot(4, 5, 0, "threadclock", ThreadKind.VIEW, 9, 9, 0));
        assertThat(series(JVM_CPU_TIME)).containsExactly("gc 10", "jit 20", "vm 30");
        assertThat(usersByPool()).isEmpty();
    }

    /** Such as one that the kernel's name tells less of than the JVM's. */
    @Test
    void aThreadThatTurnsOutToBeTheJvmsOwnCountsOnce() {
        take(0, thread(1, 5, "odd", 10, 0));
        take(S, thread(1, 5, "GC Thread#0", 25, 0));
        assertThat(usersByPool()).isEqualTo(Map.of("odd", 10L));
        assertThat(series(JVM_CPU_TIME)).contains("gc 15");
    }

    @Test
    void aThreadCountsOnceItsNameIsKnown() {
        take(0, awaited(thread(1, 5, "http-nio-8080-e", 10, 0)));
        assertThat(usersByPool()).isEmpty();
        take(S, thread(1, 5, "http-nio-8080-exec-1", 15, 0));
        assertThat(usersByPool()).isEqualTo(Map.of("http-nio-8080-exec-*", 15L));
        take(2 * S, awaited(thread(1, 5, "http-nio-8080-exec-1", 17, 0)));
        assertThat(usersByPool()).isEqualTo(Map.of("http-nio-8080-exec-*", 17L));
    }

    @Test
    void aNameThatDoesNotComeIsTheKernels() {
        take(0, awaited(thread(1, 5, "slow", 1, 0)), awaited(thread(2, 5, "short", 7, 0)));
        take(S, awaited(thread(1, 5, "slow", 2, 0)));
        assertThat(usersByPool()).isEqualTo(Map.of("short", 7L));
        assertThat(series(POOL_THREADS)).containsExactly("short 0");
        take(13 * S, awaited(thread(1, 5, "slow", 3, 0)));
        assertThat(usersByPool()).isEqualTo(Map.of("slow", 3L, "short", 7L));
    }

    private static ThreadSnapshot[] manyPools() {
        return IntStream.range(0, 150)
                .mapToObj(i -> thread(i + 1, 5, "a" + "b".repeat(i), 1, 0))
                .toArray(ThreadSnapshot[]::new);
    }

    @Test
    void poolsBeyondTheMostAreOneAndTheJvmsOwnStay() {
        take(0, manyPools());
        take(S, thread(1, 5, "GC Thread#0", 10, 0));
        assertThat(usersByPool()).hasSize(Bounds.METERED_POOLS).containsEntry("other", 150L - 99);
        assertThat(series(JVM_CPU_TIME)).contains("gc 9");
    }

    @Test
    void aPoolWithoutThreadsGivesItsPlaceAwayAfterAWhile() {
        take(0, manyPools());
        take(S);
        take(299 * S, thread(201, 5, "late", 7, 0));
        assertThat(usersByPool()).doesNotContainKey("late").hasSize(Bounds.METERED_POOLS);
        take(300 * S, thread(201, 5, "late", 7, 0));
        take(301 * S, thread(201, 5, "late", 9, 0));
        assertThat(usersByPool()).containsOnlyKeys("other", "late");
        assertThat(series(JVM_CPU_TIME)).hasSize(3);
    }

    private static VirtualPool virtual(int number, String name) {
        return new VirtualPool(number, VirtualPool.Kind.NAMED, name, 9, 1, 2, 1);
    }

    @Test
    void virtualPoolsKeepTheirLastFigures() {
        take(0, List.of(), List.of(virtual(3, "handler-*")));
        take(S, List.of(), List.of());
        assertThat(series(VIRTUAL_CPU_TIME)).containsExactly("handler-* user 1", "handler-* system 8");
        assertThat(series(VIRTUAL_THREADS)).containsExactly("handler-* 1");
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
                            .mapToObj(i -> virtual(i, prefix + i))
                            .toList());
        }
        assertThat(series(VIRTUAL_CPU_TIME)).hasSize(2 * Bounds.METERED_POOLS).contains("(other names) user 150");
    }

    @Test
    void labelsAreFitForATerminalAndPoolsThatDifferInWhatIsNotAreOne() {
        take(
                0,
                List.of(thread(1, 5, "a\u001b", 1, 0), thread(2, 5, "a\u202e", 2, 0), thread(3, 5, "\0x", 1, 0)),
                List.of(virtual(3, "b\u0007")));
        assertThat(usersByPool()).isEqualTo(Map.of("a?", 3L, "?x", 1L));
        assertThat(series(VIRTUAL_THREADS)).containsExactly("b? 1");
    }

    @Test
    void aQuotaHasFiguresAsLongAsThereIsOne() {
        take(0);
        figures.confine(2, Optional.of(new CpuQuota.Group("/g", 1.5, 10, 3, S)));
        assertThat(series(CGROUP_QUOTA)).containsExactly(" 2"); // rounded
        assertThat(series(ExportedMetric.CGROUP_THROTTLED_TIME)).containsExactly(" " + S);
        figures.confine(2, Optional.empty());
        assertThat(series(CGROUP_QUOTA)).isEmpty();
    }
}
