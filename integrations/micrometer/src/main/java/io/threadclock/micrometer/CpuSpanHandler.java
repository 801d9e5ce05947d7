// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.handler.TracingObservationHandler.TracingContext;
import io.threadclock.AccountUsage;

/**
 * Tags the span of each observation with what the observation has cost, by Micrometer Tracing:
 * {@code threadclock.cpu.time}, {@code threadclock.cpu.user_time}, {@code threadclock.cpu.system_time},
 * {@code threadclock.run_delay} and {@code threadclock.not_running}, in ns. Tags whose values are not known are left
 * out. What counts is the same as in {@link CpuObservationHandler}; if both are registered, each observation is
 * measured once.
 *
 * <p>Register it after the handlers of Micrometer Tracing: handlers are told of the end in the reverse order, and a
 * span that has ended takes no tags. Needs {@code io.micrometer:micrometer-tracing}. Thread-safe.
 *
 * <pre>{@code
 * observationRegistry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
 * observationRegistry.observationConfig().observationHandler(new CpuSpanHandler());
 * }</pre>
 *
 * @since 0.1
 */
public final class CpuSpanHandler extends MeasuringHandler {
    /** Measures all observations that it is notified of. */
    public CpuSpanHandler() {}

    @Override
    void tell(Observation.Context context, AccountUsage usage) {
        TracingContext tracing = context.get(TracingContext.class);
        Span span = tracing == null ? null : tracing.getSpan();
        if (span == null || usage == null) {
            return;
        }
        span.tag("threadclock.cpu.time", usage.cpuTimeNs());
        span.tag("threadclock.cpu.user_time", usage.userTimeNs());
        span.tag("threadclock.cpu.system_time", usage.systemTimeNs());
        if (usage.partsOfUnknownWaits() == 0) {
            span.tag("threadclock.run_delay", usage.runDelayNs());
            span.tag("threadclock.not_running", usage.notRunningNs());
        }
    }
}
