// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.threadclock.ThreadClock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** A program with spans, which OpenTelemetry's agent exports. It has a clock of its own. Runs on Java 8 and newer. */
public final class SpanProgram {
    static final long WORK_NS = 10_000_000;
    static final long SLEEP_MS = 20;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Tracer TRACER = GlobalOpenTelemetry.getTracer("program");

    private SpanProgram() {}

    /** Ends with exit status 0 if nothing has thrown. */
    public static void main(String[] arguments) throws Exception {
        spans(arguments);
        spans(arguments); // the first ones load classes
        System.out.println("own clock " + ThreadClock.canRead());
    }

    private static void spans(String[] arguments) throws Exception {
        spanOf("work", SpanProgram::burn);
        spanOf("sleep", SpanProgram::sleep);
        ExecutorService pool = Executors.newSingleThreadExecutor();
        // The agent makes the span current in the task.
        spanOf("hop", () -> {
            burn();
            return pool.submit(SpanProgram::burn).get();
        });
        pool.shutdown();
        spanOf("reactor", () -> Flux.just("work")
                .publishOn(Schedulers.single())
                .doOnNext(ignored -> burn())
                .publishOn(Schedulers.parallel())
                .doOnNext(ignored -> burn())
                .blockLast());
        if (arguments.length > 0) {
            virtual(() -> spanOf("virtual", SpanProgram::spin)).join();
        }
    }

    @SuppressWarnings("try")
    private static Object spanOf(String name, Callable<Object> work) throws Exception {
        Span span = TRACER.spanBuilder(name).startSpan();
        try (Scope scope = span.makeCurrent()) {
            return work.call();
        } finally {
            span.end();
        }
    }

    private static Object burn() {
        long nowNs = THREADS.getCurrentThreadCpuTime();
        long endNs = nowNs + WORK_NS;
        while (nowNs < endNs) {
            nowNs = THREADS.getCurrentThreadCpuTime();
        }
        return null;
    }

    private static Object spin() {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < WORK_NS) {
            Math.sqrt(startNs);
        }
        return null;
    }

    private static Object sleep() throws InterruptedException {
        Thread.sleep(SLEEP_MS);
        return null;
    }

    private static Thread virtual(Callable<Object> work) throws ReflectiveOperationException {
        Runnable run = () -> {
            try {
                work.call();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        };
        return (Thread)
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, run);
    }
}
