// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.threadclock.ThreadClock;
import io.threadclock.diagnostics.FailureLog;
import java.lang.ref.WeakReference;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SpanCostTest {
    private static final long WORK_NS = 10_000_000;

    private final Tracer tracer = tracer("threadclock.spans.enabled");

    private static Tracer tracer(String property) {
        return Sdk.with(property, true).build().getOpenTelemetrySdk().getTracer("test");
    }

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
    }

    private Span span() {
        return tracer.spanBuilder("span").startSpan();
    }

    private static void inScope(Span span, Runnable work) {
        inScope(span.storeInContext(Context.root()), work);
    }

    @SuppressWarnings("try")
    private static void inScope(Context context, Runnable work) {
        try (Scope scope = context.makeCurrent()) {
            work.run();
        }
    }

    private static void burnIn(Span span) {
        inScope(span, SpanCostTest::burn);
    }

    /** What it throws fails the test. */
    private static void inThread(Runnable work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        work.run();
                        done.complete(null);
                    } catch (Throwable failed) {
                        done.completeExceptionally(failed);
                    }
                })
                .start();
        done.join();
    }

    private static void burn(long ns) {
        long nowNs = ThreadClock.cpuTimeNs();
        long endNs = nowNs + ns;
        while (nowNs < endNs) {
            nowNs = ThreadClock.cpuTimeNs();
        }
    }

    private static void burn() {
        burn(WORK_NS);
    }

    /** Returns what it has cost the calling thread, in ns. */
    private static long costNs(Runnable work) {
        long beforeNs = ThreadClock.cpuTimeNs();
        work.run();
        return ThreadClock.cpuTimeNs() - beforeNs;
    }

    private static Long told(Span span, AttributeKey<Long> key) {
        return ((ReadableSpan) span).getAttribute(key);
    }

    private static long cpuNs(Span span) {
        assertThat(told(span, SpanCostProcessor.CPU_TIME)).as("CPU time").isNotNull();
        return told(span, SpanCostProcessor.CPU_TIME);
    }

    private static long selfNs(Span span) {
        return told(span, SpanCostProcessor.SELF_TIME);
    }

    /** Ends the span, which has worked. */
    private static void assertTellsAtMost(Span span, long mostNs) {
        span.end();
        assertThat(cpuNs(span)).isBetween(WORK_NS, mostNs);
    }

    @Test
    void aSpanTellsWhatItsScopeCost() {
        Span span = span();
        assertTellsAtMost(span, costNs(() -> burnIn(span)));
        assertThat(told(span, SpanCostProcessor.USER_TIME) + told(span, SpanCostProcessor.SYSTEM_TIME))
                .as("user + system, ns")
                .isEqualTo(cpuNs(span));
        assertThat(told(span, SpanCostProcessor.ALLOCATED))
                .as("bytes that nobody has asked for")
                .isNull();
    }

    @Test
    void selfTimesAddUpToWhatTheOutermostSpanCost() {
        Span outer = span();
        Span inner = span();
        Span innermost = span();
        Span elsewhere = span();
        inScope(outer, () -> {
            burn();
            inScope(inner, () -> {
                burnIn(innermost);
                innermost.end();
                burn();
            });
            inner.end();
            inThread(() -> burnIn(elsewhere));
        });
        elsewhere.end();
        outer.end();
        assertThat(selfNs(innermost)).isEqualTo(cpuNs(innermost));
        assertThat(selfNs(inner)).isGreaterThanOrEqualTo(WORK_NS).isEqualTo(cpuNs(inner) - cpuNs(innermost));
        assertThat(selfNs(outer)).isGreaterThanOrEqualTo(WORK_NS).isEqualTo(cpuNs(outer) - cpuNs(inner));
        assertThat(selfNs(elsewhere)).isEqualTo(cpuNs(elsewhere));
    }

    /** Threads that work in spans, between them, and for spans of one another. */
    @Test
    @Tag("timing")
    void selfTimesAreAllThatThreadsUseInSpans() throws Exception {
        workInSpans(2_000, 1_000, new AtomicLong()); // until what opens a scope is compiled
        AtomicLong selfNs = new AtomicLong();
        long inSpansNs = workInSpans(100, 1_000_000, selfNs);
        assertThat(selfNs.get())
                .as("ns of self times, of %d ns by the threads' own readings", inSpansNs)
                .isBetween(inSpansNs / 100 * 98, inSpansNs);
    }

    private long workInSpans(int rounds, long workNs, AtomicLong selfNs) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4); // two workers, and one for each of them
        AtomicLong inSpansNs = new AtomicLong();
        Callable<Void> worker = () -> {
            for (int i = 0; i < rounds; i++) {
                Span outer = span();
                Span inner = span();
                Runnable work = () -> inScope(inner, () -> burn(workNs));
                Future<Long> elsewhere = threads.submit(() -> costNs(work));
                inSpansNs.addAndGet(costNs(() -> inScope(outer, () -> {
                    burn(workNs);
                    work.run();
                })));
                inSpansNs.addAndGet(elsewhere.get());
                inner.end();
                outer.end();
                selfNs.addAndGet(selfNs(inner) + selfNs(outer));
                burn(workNs);
            }
            return null;
        };
        try {
            for (Future<Void> each : threads.invokeAll(Collections.nCopies(2, worker))) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
        return inSpansNs.get();
    }

    @Test
    void scopesOfSeveralThreadsAddUp() {
        Span span = span();
        AtomicLong mostNs = new AtomicLong();
        Runnable hop = () -> mostNs.addAndGet(costNs(() -> burnIn(span)));
        hop.run();
        inThread(hop);
        burn();
        assertTellsAtMost(span, mostNs.get());
        assertThat(cpuNs(span)).isGreaterThanOrEqualTo(2 * WORK_NS);
    }

    private Span childOf(Span parent) {
        return tracer.spanBuilder("child")
                .setParent(parent.storeInContext(Context.root()))
                .startSpan();
    }

    @Test
    void aSpanContainsItsChildrenOfTheSameThread() {
        Span parent = span();
        Span child = childOf(parent);
        long mostNs = costNs(() -> inScope(parent, () -> burnIn(child)));
        assertTellsAtMost(child, mostNs);
        assertTellsAtMost(parent, mostNs);
        assertThat(cpuNs(parent)).isGreaterThanOrEqualTo(cpuNs(child));
    }

    /** The child's thread never has the parent as its current span. */
    @Test
    void aSpanDoesNotContainItsChildrenOfOtherThreads() {
        Span parent = span();
        Span child = childOf(parent);
        long mostNs = costNs(() -> inScope(parent, () -> inThread(() -> burnIn(child))));
        child.end();
        parent.end();
        assertThat(cpuNs(parent)).as("ns, without the child's").isBetween(0L, mostNs);
    }

    @Test
    void aSpanThatIsCurrentTwiceCountsOnce() {
        Span span = span();
        assertTellsAtMost(span, costNs(() -> inScope(span, () -> burnIn(span))));
    }

    @Test
    void theWallTimeOfScopesIsDivided() {
        Span span = slept();
        assertThat(told(span, SpanCostProcessor.NOT_RUNNING)).isPositive();
        assertThat(cpuNs(span) + told(span, SpanCostProcessor.RUN_DELAY) + told(span, SpanCostProcessor.NOT_RUNNING))
                .as("CPU time + run delay + not running, ns")
                .isLessThanOrEqualTo(((ReadableSpan) span).getLatencyNanos());
    }

    @Test
    @Tag("timing")
    void aSpanThatSleepsDoesNotRunMeanwhile() {
        assertThat(told(slept(), SpanCostProcessor.NOT_RUNNING))
                .as("ns not running, of a sleep of 20 ms")
                .isGreaterThan(15_000_000);
    }

    private Span slept() {
        assumeThat(ThreadClock.waits().runDelayNs()).as("run delay, ns").isNotNegative();
        Span span = span();
        inScope(span, () -> {
            try {
                Thread.sleep(20);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        });
        span.end();
        return span;
    }

    @Test
    void aSpanThatEndsInItsScopeTellsItsCost() {
        Span span = span();
        assertTellsUpToItsEnd(span, () -> {
            burn();
            span.end();
        });
    }

    @Test
    void aSpanThatEndsWhileAnotherThreadHasItTellsTheCostUpToThen() {
        Span span = span();
        assertTellsUpToItsEnd(span, () -> {
            burn(2 * WORK_NS); // the other thread's clock may be behind this one's
            inThread(span::end);
        });
        Span next = span();
        assertTellsAtMost(next, costNs(() -> burnIn(next)));
    }

    /** Goes on in the scope after this work, which ends the span. */
    private static void assertTellsUpToItsEnd(Span span, Runnable work) {
        AtomicLong endNs = new AtomicLong();
        long beforeNs = ThreadClock.cpuTimeNs();
        inScope(span, () -> {
            work.run();
            endNs.set(ThreadClock.cpuTimeNs());
            burn();
        });
        assertTellsAtMost(span, endNs.get() - beforeNs);
    }

    @Test
    void aSpanWithoutScopeTellsNothing() {
        Span span = span();
        burn();
        span.end();
        assertThat(((ReadableSpan) span).getAttributes().asMap()).isEmpty();
    }

    /** The scope of the task closes after the span knows its result, and often while the span ends. */
    @Test
    void aSpanThatJoinsATaskTellsNoLessThanTheTaskHasUsed() {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Executor tasks = Context.taskWrapping(pool);
        for (int i = 0; i < 100; i++) {
            Span span = span();
            CompletableFuture<Long> task = new CompletableFuture<>();
            inScope(span, () -> tasks.execute(() -> task.complete(costNs(() -> burn(1_000_000)))));
            long usedNs = task.join();
            span.end();
            Long toldNs = told(span, SpanCostProcessor.CPU_TIME);
            assertThat(toldNs == null || toldNs >= usedNs)
                    .as("%d: told %s ns, the task has used %d", i, toldNs, usedNs)
                    .isTrue();
        }
        pool.shutdown();
    }

    private void assertTheNextScopeIsOutermost() {
        inScope(span(), () -> assertThat(ThreadScopes.ofThisThread().innermost.outer)
                .isNull());
    }

    /** OpenTelemetry refuses that: the scope stays open, and what its thread does from then on is not the span's. */
    @Test
    void nothingIsToldOfASpanWhoseScopeAnotherThreadCloses() {
        Span span = span();
        try (Scope scope = span.makeCurrent()) {
            inThread(scope::close);
            assertTheNextScopeIsOutermost();
        }
        span.end();
        assertThat(told(span, SpanCostProcessor.CPU_TIME)).isNull();
    }

    @SuppressWarnings("MustBeClosedChecker") // that is the point
    @Test
    void aScopeThatNobodyClosesIsForgottenAfterItsSpan() {
        Span leaked = span();
        inThread(() -> {
            leaked.makeCurrent();
            burn(2 * WORK_NS); // the other thread's clock may be behind this one's
            inThread(leaked::end);
            assertTheNextScopeIsOutermost();
        });
        assertThat(cpuNs(leaked)).isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    @SuppressWarnings("MustBeClosedChecker") // they are, below
    void scopesAreClosedInAnyOrder() {
        for (String order : new String[] {"012", "120", "201", "210"}) {
            List<Scope> scopes =
                    Stream.generate(() -> span().makeCurrent()).limit(3).collect(Collectors.toList());
            order.chars().forEach(digit -> scopes.get(digit - '0').close());
            assertThat(ThreadScopes.ofThisThread().innermost).as(order).isNull();
        }
    }

    /** It would keep the class loader in memory, too. */
    @Test
    @Timeout(120)
    void aThreadKeepsNothingInMemoryWithoutScopes() throws InterruptedException {
        Span span = span();
        inScope(span, () -> {});
        span.end();
        WeakReference<ThreadScopes> scopes = new WeakReference<>(ThreadScopes.ofThisThread());
        while (scopes.get() != null) { // until the timeout, if they stay
            System.gc();
            Thread.sleep(10);
        }
    }

    @Test
    void bytesAreToldIfAskedFor() {
        Span span =
                tracer("threadclock.spans.allocated-bytes").spanBuilder("bytes").startSpan();
        byte[][] kept = new byte[1][];
        inScope(span, () -> kept[0] = new byte[1_000_000]);
        span.end();
        assertThat(told(span, SpanCostProcessor.ALLOCATED)).isBetween(1_000_000L, 1_500_000L);
    }

    @Test
    void theLogSaysOnceThatScopesAreNotSeen() {
        List<String> logged = new ArrayList<>();
        Logger logger = Logger.getLogger(FailureLog.class.getName());
        logger.setFilter(line -> !logged.add(line.getThrown().getMessage()));
        SpanCosts costs = new SpanCosts();
        costs.begin(span(), false);
        costs.begin(span(), false);
        logger.setFilter(null);
        assertThat(logged).hasSize(1);
        assertThat(Paths.get("../../docs/troubleshooting.md")).content().contains("\n### " + logged.get(0) + "\n");
    }

    @Test
    void aSpanHasOneCostIfAFileNamesTheProcessorTwice() {
        SpanCosts costs = new SpanCosts();
        costs.seeScopes();
        Span span = span();
        costs.begin(span, false);
        costs.begin(span, false);
        assertThat(costs.count()).isEqualTo(1);
    }

    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void spansThatNobodyEndsAreForgotten() {
        SpanCosts costs = new SpanCosts();
        costs.seeScopes();
        for (int made = 0; costs.count() == made; made++) {
            costs.begin(span(), false);
            if (made % 100 == 0) {
                System.gc();
            }
        }
    }
}
