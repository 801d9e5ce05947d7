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
import io.threadclock.cli.export.ExportedMetric.Figure;
import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.threads.ProcessSnapshot;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadSnapshot;
import io.threadclock.cli.threads.VirtualPool;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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

    private List<String> of(ExportedMetric metric) {
        return figures.now().stream()
                .filter(figure -> figure.metric() == metric)
                .map(figure -> figure.of().get(0))
                .distinct()
                .toList();
    }

    /** Times are in ns. */
    private long value(ExportedMetric metric, String... of) {
        double value = figures.now().stream()
                .filter(figure -> figure.metric() == metric && figure.of().equals(List.of(of)))
                .mapToDouble(Figure::value)
                .reduce((one, other) -> {
                    throw new AssertionError("two series " + metric + " of " + List.of(of));
                })
                .orElseThrow();
        return Math.round(metric.isTime() ? value * S : value);
    }

    private long user(String pool) {
        return value(POOL_CPU_TIME, pool, "user");
    }

    private long system(String pool) {
        return value(POOL_CPU_TIME, pool, "system");
    }

    @Test
    void thereIsNothingBeforeTheFirstSnapshot() {
        assertThat(figures.now()).isEmpty();
    }

    @Test
    void threadsOfAPoolAddUpFromTheirStarts() {
        take(0, thread(1, 5, "http-1", 10, 1), thread(2, 5, "http-2", 20, 2));
        take(S, thread(1, 5, "http-1", 15, 2), thread(2, 5, "http-2", 20, 2));
        assertThat(user("http-*")).isEqualTo(35);
        assertThat(system("http-*")).isEqualTo(4);
        assertThat(value(POOL_THREADS, "http-*")).isEqualTo(2);
    }

    @Test
    void aThreadThatHasEndedStaysCountedAndAnotherOneOfItsTidBeginsAnew() {
        take(0, thread(1, 5, "http-1", 10, 0), thread(2, 5, "http-2", 5, 0));
        take(S, new ThreadSnapshot(1, 6 * S, 1, "http-3", ThreadKind.JAVA, 13, 13, 0));
        assertThat(user("http-*")).isEqualTo(28);
        assertThat(value(POOL_THREADS, "http-*")).isEqualTo(1);
    }

    @Test
    void timeThatGoesBackIsNotSubtracted() {
        take(0, thread(1, 5, "a", 10, 10));
        take(S, thread(1, 5, "a", 8, 12));
        figures.add(snapshot(2 * S, 7, List.of(), List.of()));
        assertThat(user("a")).isEqualTo(10);
        assertThat(system("a")).isEqualTo(12);
        assertThat(value(PROCESS_CPU_TIME, "user")).isEqualTo(S);
    }

    @Test
    void waitsCountFromTheStartAndTheTimeWithoutWishToRunSinceTheThreadWasFound() {
        take(0, waited(5, 3, thread(1, 5, "a", 0, 0)));
        take(1000, waited(105, 7, thread(1, 5, "a", 150, 50)));
        assertThat(value(POOL_RUN_DELAY, "a")).isEqualTo(105);
        assertThat(value(POOL_NOT_RUNNING, "a")).isEqualTo(1000 - 200 - 100);
    }

    @Test
    void waitsThatTheKernelDoesNotTellAreMissingAndNotZero() {
        take(0, thread(1, 5, "a", 1, 0));
        assertThat(of(POOL_RUN_DELAY)).isEmpty();
        assertThat(of(POOL_NOT_RUNNING)).isEmpty();
    }

    @Test
    void theJvmsOwnThreadsHaveKindsAndTheAgentsNothing() {
        take(
                0,
                thread(1, 5, "GC Thread#0", 10, 0),
                thread(2, 5, "C2 CompilerThread0", 20, 0),
                thread(3, 5, "VM Thread", 30, 0),
                new ThreadSnapshot(4, 5, 0, "threadclock", ThreadKind.VIEW, 9, 9, 0));
        assertThat(of(JVM_CPU_TIME)).containsExactly("gc", "jit", "vm");
        assertThat(value(JVM_CPU_TIME, "gc")).isEqualTo(10);
        assertThat(value(JVM_CPU_TIME, "jit")).isEqualTo(20);
        assertThat(value(JVM_CPU_TIME, "vm")).isEqualTo(30);
        assertThat(of(POOL_CPU_TIME)).isEmpty();
    }

    /** Such as one that the kernel's name tells less of than the JVM's. */
    @Test
    void aThreadThatTurnsOutToBeTheJvmsOwnCountsOnce() {
        take(0, thread(1, 5, "odd", 10, 0));
        take(S, thread(1, 5, "GC Thread#0", 25, 0));
        assertThat(user("odd")).isEqualTo(10);
        assertThat(value(JVM_CPU_TIME, "gc")).isEqualTo(15);
    }

    @Test
    void aThreadCountsOnceItsNameIsKnown() {
        take(0, awaited(thread(1, 5, "http-nio-8080-e", 10, 0)));
        assertThat(of(POOL_CPU_TIME)).isEmpty();
        take(S, thread(1, 5, "http-nio-8080-exec-1", 15, 0));
        assertThat(of(POOL_CPU_TIME)).containsExactly("http-nio-8080-exec-*");
        assertThat(user("http-nio-8080-exec-*")).isEqualTo(15);
        take(2 * S, awaited(thread(1, 5, "http-nio-8080-exec-1", 17, 0)));
        assertThat(user("http-nio-8080-exec-*")).isEqualTo(17);
    }

    @Test
    void aNameThatDoesNotComeIsTheKernels() {
        take(0, awaited(thread(1, 5, "slow", 1, 0)), awaited(thread(2, 5, "short", 7, 0)));
        take(S, awaited(thread(1, 5, "slow", 2, 0)));
        assertThat(of(POOL_CPU_TIME)).containsExactly("short");
        assertThat(user("short")).isEqualTo(7);
        assertThat(value(POOL_THREADS, "short")).isZero();
        take(13 * S, awaited(thread(1, 5, "slow", 3, 0)));
        assertThat(user("slow")).isEqualTo(3);
        assertThat(user("short")).isEqualTo(7);
    }

    private static ThreadSnapshot[] manyPools(String prefix) {
        return IntStream.range(0, 150)
                .mapToObj(i -> thread(i + 1, 5, prefix + "b".repeat(i), 1, 0))
                .toArray(ThreadSnapshot[]::new);
    }

    @Test
    void poolsBeyondTheMostAreOneAndTheJvmsOwnStay() {
        take(0, manyPools("a"));
        take(S, thread(1, 5, "GC Thread#0", 10, 0));
        assertThat(of(POOL_CPU_TIME)).hasSize(Bounds.METERED_POOLS);
        assertThat(user("other")).isEqualTo(150 - 99);
        assertThat(value(JVM_CPU_TIME, "gc")).isEqualTo(9);
    }

    @Test
    void aPoolWithoutThreadsGivesItsPlaceAwayAfterAWhile() {
        take(0, manyPools("a"));
        take(S);
        take(299 * S, thread(201, 5, "late", 7, 0));
        assertThat(of(POOL_CPU_TIME)).doesNotContain("late").hasSize(Bounds.METERED_POOLS);
        take(300 * S, thread(201, 5, "late", 7, 0));
        take(301 * S, thread(201, 5, "late", 9, 0));
        assertThat(of(POOL_CPU_TIME)).containsExactlyInAnyOrder("other", "late");
        assertThat(of(JVM_CPU_TIME)).hasSize(3);
    }

    @Test
    void virtualPoolsKeepTheirLastFigures() {
        take(0, List.of(), List.of(new VirtualPool(3, VirtualPool.Kind.NAMED, "handler-*", 9, 4, 2, 1)));
        take(S, List.of(), List.of());
        assertThat(value(VIRTUAL_CPU_TIME, "handler-*", "user")).isEqualTo(4);
        assertThat(value(VIRTUAL_THREADS, "handler-*")).isEqualTo(1);
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
        assertThat(of(VIRTUAL_CPU_TIME)).hasSize(Bounds.METERED_POOLS);
        assertThat(value(VIRTUAL_CPU_TIME, "(other names)", "user")).isEqualTo(150);
    }

    @Test
    void labelsAreFitForATerminalAndPoolsThatDifferInWhatIsNotAreOne() {
        take(
                0,
                List.of(thread(1, 5, "a\u001b", 1, 0), thread(2, 5, "a\u202e", 2, 0), thread(3, 5, "\0x", 1, 0)),
                List.of(new VirtualPool(3, VirtualPool.Kind.NAMED, "b\u0007", 9, 4, 2, 1)));
        assertThat(of(POOL_CPU_TIME)).containsExactly("a?", "?x");
        assertThat(user("a?")).isEqualTo(3);
        assertThat(of(VIRTUAL_CPU_TIME)).containsExactly("b?");
    }

    @Test
    void aQuotaHasFiguresAsLongAsThereIsOne() {
        take(0);
        figures.confine(2, Optional.of(new CpuQuota.Group("/g", 1.5, 10, 3, S)));
        assertThat(value(CGROUP_QUOTA)).isEqualTo(2); // rounded
        assertThat(value(ExportedMetric.CGROUP_THROTTLED_TIME)).isEqualTo(S);
        figures.confine(2, Optional.empty());
        assertThat(figures.now()).noneMatch(figure -> figure.metric() == CGROUP_QUOTA);
    }
}
