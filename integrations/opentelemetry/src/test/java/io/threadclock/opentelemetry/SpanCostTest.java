// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.threadclock.ThreadClock;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SpanCostTest {
    private static final long WORK_NS = 10_000_000;

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final Tracer tracer = tracer("threadclock.spans.enabled", "true");

    private Tracer tracer(String property, String value) {
        return Sdk.with(property, value)
                .addTracerProviderCustomizer(
                        (builder, config) -> builder.addSpanProcessor(SimpleSpanProcessor.create(exporter)))
                .build()
                .getOpenTelemetrySdk()
                .getTracer("test");
    }

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
    }

    private Span span(String name) {
        return tracer.spanBuilder(name).startSpan();
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

    private static void inThread(Runnable work) {
        Thread thread = new Thread(work);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        thread.setUncaughtExceptionHandler((failed, thrown) -> failure.set(thrown));
        thread.start();
        try {
            thread.join();
            assertThat(failure.get()).isNull();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
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

    private SpanData ended(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .get();
    }

    private Long told(String name, AttributeKey<Long> key) {
        return ended(name).getAttributes().get(key);
    }

    private long cpuNs(String name) {
        assertThat(told(name, SpanCostProcessor.CPU_TIME))
                .as("CPU time of " + name)
                .isNotNull();
        return told(name, SpanCostProcessor.CPU_TIME);
    }

    private static long wallNs(SpanData span) {
        return span.getEndEpochNanos() - span.getStartEpochNanos();
    }

    @Test
    void aSpanTellsWhatItsScopeCost() {
        Span span = span("work");
        long mostNs = costNs(() -> inScope(span, SpanCostTest::burn));
        span.end();
        assertThat(cpuNs("work")).isBetween(WORK_NS, mostNs);
        assertThat(told("work", SpanCostProcessor.USER_TIME) + told("work", SpanCostProcessor.SYSTEM_TIME))
                .as("user + system, ns")
                .isEqualTo(cpuNs("work"));
        assertThat(told("work", SpanCostProcessor.ALLOCATED))
                .as("bytes that nobody has asked for")
                .isNull();
    }

    @Test
    void selfTimesAddUpToWhatTheOutermostSpanCost() {
        Span outer = span("outer");
        Span inner = span("inner");
        Span innermost = span("innermost");
        Span elsewhere = span("elsewhere");
        inScope(outer, () -> {
            burn();
            inScope(inner, () -> {
                inScope(innermost, SpanCostTest::burn);
                innermost.end();
                burn();
            });
            inner.end();
            inThread(() -> inScope(elsewhere, SpanCostTest::burn));
        });
        elsewhere.end();
        outer.end();
        assertThat(selfNs("innermost")).isEqualTo(cpuNs("innermost"));
        assertThat(selfNs("inner")).isGreaterThanOrEqualTo(WORK_NS).isEqualTo(cpuNs("inner") - cpuNs("innermost"));
        assertThat(selfNs("outer")).isGreaterThanOrEqualTo(WORK_NS).isEqualTo(cpuNs("outer") - cpuNs("inner"));
        assertThat(selfNs("elsewhere")).isEqualTo(cpuNs("elsewhere"));
    }

    /** Threads that work in spans, between them, and for spans of one another. */
    @Test
    @Tag("timing")
    void selfTimesAreAllThatThreadsUseInSpans() throws Exception {
        workInSpans(2_000, 1_000); // until what opens a scope is compiled
        exporter.reset();
        long inSpansNs = workInSpans(100, 1_000_000);
        long selfNs = exporter.getFinishedSpanItems().stream()
                .mapToLong(span -> span.getAttributes().get(SpanCostProcessor.SELF_TIME))
                .sum();
        assertThat(selfNs)
                .as("ns of self times, of %d ns by the threads' own readings", inSpansNs)
                .isBetween(inSpansNs / 100 * 98, inSpansNs);
    }

    private long workInSpans(int rounds, long workNs) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4); // two workers, and one for each of them
        AtomicLong inSpansNs = new AtomicLong();
        Callable<Void> worker = () -> {
            for (int i = 0; i < rounds; i++) {
                Span outer = span("outer");
                Span inner = span("inner");
                Runnable work = () -> inScope(inner, () -> burn(workNs));
                Future<Long> elsewhere = threads.submit(() -> costNs(work));
                inSpansNs.addAndGet(costNs(() -> inScope(outer, () -> {
                    burn(workNs);
                    work.run();
                })));
                inSpansNs.addAndGet(elsewhere.get());
                inner.end();
                outer.end();
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

    private long selfNs(String name) {
        return told(name, SpanCostProcessor.SELF_TIME);
    }

    @Test
    void scopesOfSeveralThreadsAddUp() {
        Span span = span("hops");
        AtomicLong mostNs = new AtomicLong();
        Runnable hop = () -> mostNs.addAndGet(costNs(() -> inScope(span, SpanCostTest::burn)));
        hop.run();
        inThread(hop);
        burn();
        span.end();
        assertThat(cpuNs("hops")).isBetween(2 * WORK_NS, mostNs.get());
    }

    @Test
    void aSpanContainsItsChildrenOfTheSameThread() {
        Span parent = span("parent");
        long mostNs = costNs(() -> inScope(parent, () -> {
            Span child = span("child");
            inScope(child.storeInContext(Context.current()), SpanCostTest::burn);
            child.end();
        }));
        parent.end();
        assertThat(cpuNs("child")).isGreaterThanOrEqualTo(WORK_NS);
        assertThat(cpuNs("parent")).isBetween(cpuNs("child"), mostNs);
    }

    /** The child's thread never has the parent as its current span. */
    @Test
    void aSpanDoesNotContainItsChildrenOfOtherThreads() {
        Span parent = span("parent");
        Runnable starts = () -> inThread(() -> {
            Span child = tracer.spanBuilder("child")
                    .setParent(parent.storeInContext(Context.root()))
                    .startSpan();
            inScope(child, SpanCostTest::burn);
            child.end();
        });
        long mostNs = costNs(() -> inScope(parent, starts));
        parent.end();
        assertThat(cpuNs("parent")).as("ns, without the child's").isBetween(0L, mostNs);
    }

    @Test
    void aSpanThatIsCurrentTwiceCountsOnce() {
        Span span = span("twice");
        long mostNs = costNs(() -> inScope(span, () -> inScope(span, SpanCostTest::burn)));
        span.end();
        assertThat(cpuNs("twice")).isBetween(WORK_NS, mostNs);
    }

    @Test
    void theWallTimeOfScopesIsDivided() {
        assumeThat(ThreadClock.waits().runDelayNs()).as("run delay, ns").isNotNegative();
        long notRunningNs = sleep();
        assertThat(notRunningNs).isPositive();
        assertThat(cpuNs("sleep") + told("sleep", SpanCostProcessor.RUN_DELAY) + notRunningNs)
                .as("CPU time + run delay + not running, ns")
                .isLessThanOrEqualTo(wallNs(ended("sleep")));
    }

    @Test
    @Tag("timing")
    void aSpanThatSleepsDoesNotRunMeanwhile() {
        assumeThat(ThreadClock.waits().runDelayNs()).as("run delay, ns").isNotNegative();
        assertThat(sleep()).as("ns not running, of a sleep of 20 ms").isGreaterThan(15_000_000);
    }

    /** Returns for how long a span did not run that sleeps, in ns. */
    private long sleep() {
        Span span = span("sleep");
        inScope(span, () -> {
            try {
                Thread.sleep(20);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        });
        span.end();
        return told("sleep", SpanCostProcessor.NOT_RUNNING);
    }

    @Test
    void aSpanThatEndsInItsScopeTellsItsCost() {
        Span span = span("inside");
        long beforeNs = ThreadClock.cpuTimeNs();
        AtomicLong endNs = new AtomicLong();
        inScope(span, () -> {
            burn();
            span.end();
            endNs.set(ThreadClock.cpuTimeNs());
            burn();
        });
        assertThat(cpuNs("inside")).isBetween(WORK_NS, endNs.get() - beforeNs);
    }

    @Test
    void aSpanWithoutScopeTellsNothing() {
        Span span = span("none");
        burn();
        span.end();
        assertThat(ended("none").getAttributes().asMap()).isEmpty();
    }

    @Test
    void aSpanThatEndsWhileAnotherThreadHasItTellsTheCostUpToThen() {
        Span span = span("shared");
        long beforeNs = ThreadClock.cpuTimeNs();
        AtomicLong endNs = new AtomicLong();
        inScope(span, () -> {
            burn(2 * WORK_NS); // the other thread's clock may be behind this one's
            inThread(span::end);
            endNs.set(ThreadClock.cpuTimeNs());
            burn();
        });
        assertThat(cpuNs("shared")).isBetween(WORK_NS, endNs.get() - beforeNs);
        Span next = span("next");
        long mostNs = costNs(() -> inScope(next, SpanCostTest::burn));
        next.end();
        assertThat(cpuNs("next")).isBetween(WORK_NS, mostNs);
    }

    /** The scope of the task closes after the span knows its result, and often while the span ends. */
    @Test
    void aSpanThatJoinsATaskTellsNoLessThanTheTaskHasUsed() {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Executor tasks = Context.taskWrapping(pool);
        for (int i = 0; i < 100; i++) {
            String name = "join " + i;
            Span span = span(name);
            CompletableFuture<Long> task = new CompletableFuture<>();
            inScope(
                    span,
                    () -> tasks.execute(() -> {
                        long beforeNs = ThreadClock.cpuTimeNs();
                        burn(1_000_000);
                        task.complete(ThreadClock.cpuTimeNs() - beforeNs);
                    }));
            long usedNs = task.join();
            span.end();
            Long toldNs = told(name, SpanCostProcessor.CPU_TIME);
            assertThat(toldNs == null || toldNs >= usedNs)
                    .as("%s: told %s ns, the task has used %d", name, toldNs, usedNs)
                    .isTrue();
        }
        pool.shutdown();
    }

    /** OpenTelemetry refuses that: the scope stays open, and what its thread does from then on is not the span's. */
    @Test
    void nothingIsToldOfASpanWhoseScopeAnotherThreadCloses() {
        Span span = span("strange");
        try (Scope scope = span.makeCurrent()) {
            inThread(scope::close);
            inScope(span("next"), () -> assertThat(ThreadScopes.ofThisThread().innermost.outer)
                    .isNull());
        }
        span.end();
        assertThat(told("strange", SpanCostProcessor.CPU_TIME)).isNull();
    }

    @SuppressWarnings("MustBeClosedChecker") // that is the point
    @Test
    void aScopeThatNobodyClosesIsForgottenAfterItsSpan() {
        inThread(() -> {
            Span leaked = span("leaked");
            leaked.makeCurrent();
            burn(2 * WORK_NS); // the other thread's clock may be behind this one's
            inThread(leaked::end);
            inScope(span("next"), () -> assertThat(ThreadScopes.ofThisThread().innermost.outer)
                    .isNull());
        });
        assertThat(cpuNs("leaked")).isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void scopesAreClosedInAnyOrder() {
        for (String order : new String[] {"012", "120", "201", "210"}) {
            List<Scope> scopes = Stream.of("a", "b", "c")
                    .map(name -> span(name).makeCurrent())
                    .collect(Collectors.toList());
            order.chars().forEach(digit -> scopes.get(digit - '0').close());
            assertThat(ThreadScopes.ofThisThread().innermost).as(order).isNull();
        }
    }

    /** It would keep the class loader in memory, too. */
    @Test
    @Timeout(120)
    void aThreadKeepsNothingInMemoryWithoutScopes() throws InterruptedException {
        Span span = span("over");
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
        Tracer counting = tracer("threadclock.spans.allocated-bytes", "true");
        Span span = counting.spanBuilder("bytes").startSpan();
        byte[][] kept = new byte[1][];
        inScope(span, () -> kept[0] = new byte[1_000_000]);
        span.end();
        assertThat(told("bytes", SpanCostProcessor.ALLOCATED)).isBetween(1_000_000L, 1_500_000L);
    }

    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void spansThatNobodyEndsAreForgotten() {
        SpanCosts costs = new SpanCosts();
        for (int made = 0; costs.count() == made; made++) {
            costs.begin(span("never ended"), false);
            if (made % 100 == 0) {
                System.gc();
            }
        }
    }
}
