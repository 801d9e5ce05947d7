// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.threadclock.harness.Exchange;
import java.io.IOException;

/**
 * Begins and ends spans, each with one scope, and answers the ns of one; or does so with scopes of one span. It is to run under
 * OpenTelemetry's agent.
 */
public final class Spans {
    private static final int BATCH = 1000;

    private Spans() {}

    public record Request(long durationMs, boolean isOfScopes) {}

    public static void main(String[] arguments) throws IOException {
        Tracer tracer = GlobalOpenTelemetry.getTracer("spans");
        Exchange.answerEach(
                Request.class,
                request -> MeanTime.ns(
                        request.durationMs(),
                        BATCH,
                        request.isOfScopes() ? () -> makeScopes(tracer) : () -> makeSpans(tracer)));
    }

    @SuppressWarnings("try") // the scope is there to be closed
    private static void makeSpans(Tracer tracer) {
        for (int i = 0; i < BATCH; i++) {
            Span span = tracer.spanBuilder("span").startSpan();
            try (Scope scope = span.makeCurrent()) {
                span.isRecording();
            }
            span.end();
        }
    }

    @SuppressWarnings("try")
    private static void makeScopes(Tracer tracer) {
        Span span = tracer.spanBuilder("span").startSpan();
        for (int i = 0; i < BATCH; i++) {
            try (Scope scope = span.makeCurrent()) {
                span.isRecording();
            }
        }
        span.end();
    }
}
