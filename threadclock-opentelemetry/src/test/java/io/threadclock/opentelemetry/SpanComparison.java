// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.threadclock.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/**
 * Compares ways to tell the CPU time of a span: this one, and the difference of one thread's clock ({@link
 * ThreadDifferenceProcessor}). The spans do work of known CPU time. Prints two tables in Markdown: the time that a span
 * tells ÷ that of its work, and what a span costs. Both ways, and none, take turns in one JVM.
 */
public final class SpanComparison {
    private static final int SPANS = 100;
    private static final int PIECES = 4;
    private static final long PIECE_NS = 5_000_000;
    private static final int TIMED_SPANS = 200_000;
    private static final int WARM_UP_ROUNDS = 5;
    private static final int ROUNDS = 21;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final LongAdder workedNs = new LongAdder();
    private final long loops = loopsOfAPiece();
    private volatile long lastPieceNs;
    private volatile long sink;

    private SpanComparison() {}

    /** Needs no arguments. */
    public static void main(String[] arguments) throws Exception {
        SpanComparison comparison = new SpanComparison();
        System.out.println(
                "| CPU time that a span tells ÷ that of its work | threadclock | difference of a thread's clock |");
        System.out.println("|---|---:|---:|");
        comparison.compare("in one thread", comparison::inOneThread);
        comparison.compare("in two threads, half in each", comparison::inTwoThreads);
        if (VirtualThreads.areAccountable()) {
            comparison.compare("in a virtual thread, beside others", comparison::inAVirtualThread);
        }
        System.out.println();
        System.out.println("| a span with one scope, no exporter | ns |");
        System.out.println("|---|---:|");
        compareCosts();
    }

    // ---- ways ----

    private enum Way {
        NONE("not measured"),
        THREADCLOCK("threadclock") {
            @Override
            double toldNs(Attributes attributes) {
                Long ns = attributes.get(SpanCostProcessor.CPU_TIME);
                return ns == null ? Double.NaN : ns;
            }
        },
        DIFFERENCE("difference of a thread's clock") {
            @Override
            double toldNs(Attributes attributes) {
                return ThreadDifferenceProcessor.toldNs(attributes);
            }
        };

        final String title;

        Way(String title) {
            this.title = title;
        }

        /** Not a number if the span tells nothing. */
        double toldNs(Attributes attributes) {
            return Double.NaN;
        }

        Tracer tracer(SpanProcessor processor) {
            return Sdk.with("threadclock.spans.enabled", this == THREADCLOCK)
                    .addTracerProviderCustomizer((builder, config) ->
                            this == DIFFERENCE ? builder.addSpanProcessor(new ThreadDifferenceProcessor()) : builder)
                    .addTracerProviderCustomizer((builder, config) -> builder.addSpanProcessor(processor))
                    .build()
                    .getOpenTelemetrySdk()
                    .getTracer("comparison");
        }
    }

    private interface Work {
        void run(Tracer tracer) throws Exception;
    }

    private void compare(String kind, Work work) throws Exception {
        InMemorySpanExporter exporter = InMemorySpanExporter.create();
        SpanProcessor processor = SimpleSpanProcessor.create(exporter);
        Tracer threadclock = Way.THREADCLOCK.tracer(processor);
        Tracer difference = Way.DIFFERENCE.tracer(processor);
        List<Double> byThreadclock = new ArrayList<>();
        List<Double> byDifference = new ArrayList<>();
        for (int i = 0; i < SPANS; i++) {
            byThreadclock.add(Way.THREADCLOCK.toldNs(attributesOf(work, threadclock, exporter)) / workedNs.sum());
            byDifference.add(Way.DIFFERENCE.toldNs(attributesOf(work, difference, exporter)) / workedNs.sum());
        }
        System.out.println(
                "| " + kind + " | " + spread(byThreadclock, "%.2f") + " | " + spread(byDifference, "%.2f") + " |");
    }

    private Attributes attributesOf(Work work, Tracer tracer, InMemorySpanExporter exporter) throws Exception {
        exporter.reset();
        workedNs.reset();
        lastPieceNs = nsOf(loops);
        work.run(tracer);
        return exporter.getFinishedSpanItems().get(0).getAttributes();
    }

    // ---- work ----

    /** The loops that take about a piece's CPU time: by the least of many tries. */
    private long loopsOfAPiece() {
        long tried = 200_000;
        long leastNs = LongStream.generate(() -> nsOf(tried)).limit(300).min().getAsLong();
        return tried * PIECE_NS / leastNs;
    }

    private long nsOf(long count) {
        long startNs = THREADS.getCurrentThreadCpuTime();
        loop(count);
        return THREADS.getCurrentThreadCpuTime() - startNs;
    }

    private void loop(long count) {
        long value = sink;
        for (long i = 0; i < count; i++) {
            value = value * 6_364_136_223_846_793_005L + i;
        }
        sink = value;
    }

    /** A virtual thread has no clock of the kernel's: there, a piece is what the last one in a platform thread was. */
    private void piece() {
        long ns = nsOf(loops);
        workedNs.add(ns > 0 ? ns : lastPieceNs);
    }

    @SuppressWarnings("try")
    private static void inSpan(Tracer tracer, Callable<?> work) throws Exception {
        Span span = tracer.spanBuilder("span").startSpan();
        try (Scope scope = span.makeCurrent()) {
            work.call();
        } finally {
            span.end();
        }
    }

    private void inOneThread(Tracer tracer) throws Exception {
        inSpan(tracer, () -> {
            for (int i = 0; i < PIECES; i++) {
                piece();
            }
            return null;
        });
    }

    /** Half of the work is a task of an executor, for which the span's thread waits. */
    private void inTwoThreads(Tracer tracer) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            inSpan(tracer, () -> {
                for (int i = 0; i < PIECES / 2; i++) {
                    piece();
                    pool.submit(Context.current().wrap(this::piece)).get();
                }
                return null;
            });
        } finally {
            pool.shutdown();
        }
    }

    /** It sleeps between its pieces, and three other ones work on its carriers meanwhile. */
    private void inAVirtualThread(Tracer tracer) throws Exception {
        ThreadFactory factory = VirtualThreads.factory();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(factory.newThread(() -> workAndSleep(() -> loop(loops))));
        }
        threads.add(factory.newThread(() -> workInSpan(tracer)));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void workInSpan(Tracer tracer) {
        try {
            inSpan(tracer, () -> {
                workAndSleep(this::piece);
                return null;
            });
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void workAndSleep(Runnable work) {
        try {
            for (int i = 0; i < PIECES; i++) {
                work.run();
                Thread.sleep(1);
            }
        } catch (InterruptedException toldToEnd) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- cost ----

    /** The wall time of a span, by many of them. */
    @SuppressWarnings("try")
    private static double spanNs(Tracer tracer) {
        long startNs = System.nanoTime();
        for (int i = 0; i < TIMED_SPANS; i++) {
            Span span = tracer.spanBuilder("span").startSpan();
            try (Scope scope = span.makeCurrent()) {
                span.isRecording();
            }
            span.end();
        }
        return (double) (System.nanoTime() - startNs) / TIMED_SPANS;
    }

    private static void compareCosts() {
        List<Tracer> tracers = new ArrayList<>();
        List<List<Double>> roundsNs = new ArrayList<>();
        for (Way way : Way.values()) {
            tracers.add(way.tracer(new Keeper()));
            roundsNs.add(new ArrayList<>());
        }
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            for (int way = 0; way < tracers.size(); way++) {
                double ns = spanNs(tracers.get(way));
                if (round >= 0) {
                    roundsNs.get(way).add(ns);
                }
            }
        }
        for (Way way : Way.values()) {
            System.out.println("| " + way.title + " | " + spread(roundsNs.get(way.ordinal()), "%,.0f") + " |");
        }
    }

    /** Keeps the last span, as an exporter does, or the compiler would leave out most of those that are not measured. */
    private static final class Keeper implements SpanProcessor {
        private volatile ReadableSpan last;

        @Override
        public void onStart(Context parent, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            last = span;
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }

        @Override
        public String toString() {
            return "keeps " + last;
        }
    }

    /** The median, the least and the greatest; how many spans tell nothing, if there are any. */
    private static String spread(List<Double> figures, String format) {
        double[] known = figures.stream()
                .mapToDouble(Double::doubleValue)
                .filter(figure -> !Double.isNaN(figure))
                .sorted()
                .toArray();
        if (known.length == 0) {
            return "unknown";
        }
        String spread = format + " (" + format + "–" + format + ")";
        int unknown = figures.size() - known.length;
        return String.format(Locale.ROOT, spread, known[known.length / 2], known[0], known[known.length - 1])
                + (unknown == 0 ? "" : ", " + unknown + " of " + figures.size() + " unknown");
    }
}
