// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.threadclock.diagnostics.FailureLog;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The costs of the spans that have begun and not ended. A span that nobody ends is forgotten when nothing else refers
 * to it. No failure reaches the program; the first one is logged. Thread-safe.
 */
final class SpanCosts {
    private static final String UNSEEN = "A Context was used before OpenTelemetry's SDK was configured."
            + " Let main begin with ThreadClockCustomizer.wrapContexts().";

    /** The keys are the costs themselves. */
    private final ConcurrentMap<Object, SpanCost> costs = new ConcurrentHashMap<>();

    private final ReferenceQueue<Span> forgotten = new ReferenceQueue<>();
    private final FailureLog failures = new FailureLog("Spans may lack their cost.");
    private volatile boolean seesScopes;

    /** Is called when the program's first context is made, which is before its first span. */
    void seeScopes() {
        seesScopes = true;
    }

    void begin(Span span, boolean countsBytes) {
        if (!seesScopes) {
            seesScopes = true; // told once
            report("Measuring spans", new IllegalStateException(UNSEEN));
        }
        for (Reference<?> gone = forgotten.poll(); gone != null; gone = forgotten.poll()) {
            costs.remove(gone);
        }
        SpanCost cost = new SpanCost(span, forgotten, countsBytes);
        costs.putIfAbsent(cost, cost);
    }

    /**
     * Begins a part of the cost of the context's span, and returns the scope that ends it; the same scope if there is
     * none.
     */
    Scope measured(Scope scope, Context context) {
        try {
            Span span = Span.fromContextOrNull(context);
            SpanCost cost = span == null ? null : costs.get(new Identity(span));
            return cost != null && !cost.isOver() ? new MeasuredScope(this, cost, scope) : scope;
        } catch (Throwable failed) { // no memory, no stack, another version
            report("Measuring a span", failed);
            return scope;
        }
    }

    /** Forgets the cost of a span that is about to end, and returns it; null if it has none. */
    SpanCost remove(Span span) {
        return costs.remove(new Identity(span));
    }

    /** The number of spans that have begun and not ended. */
    int count() {
        return costs.size();
    }

    void report(String attempt, Throwable failed) {
        failures.report(attempt, failed);
    }

    /** The ids of spans are random. */
    static int hash(Span span) {
        return span.getSpanContext().getSpanId().hashCode();
    }

    /** Finds the cost of a span. */
    private static final class Identity {
        private final Span span;

        Identity(Span span) {
            this.span = span;
        }

        @Override
        public int hashCode() {
            return hash(span);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof SpanCost && ((SpanCost) other).get() == span;
        }
    }
}
