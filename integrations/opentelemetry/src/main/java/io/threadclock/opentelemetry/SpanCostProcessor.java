// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.internal.ExtendedSpanProcessor;
import io.threadclock.AccountUsage;

/** Gives each span its cost when it ends, as attributes in ns and bytes. Unknown figures have no attribute. */
final class SpanCostProcessor implements ExtendedSpanProcessor {
    static final AttributeKey<Long> CPU_TIME = AttributeKey.longKey("threadclock.cpu.time");
    static final AttributeKey<Long> USER_TIME = AttributeKey.longKey("threadclock.cpu.user_time");
    static final AttributeKey<Long> SYSTEM_TIME = AttributeKey.longKey("threadclock.cpu.system_time");
    static final AttributeKey<Long> SELF_TIME = AttributeKey.longKey("threadclock.cpu.self_time");
    static final AttributeKey<Long> RUN_DELAY = AttributeKey.longKey("threadclock.run_delay");
    static final AttributeKey<Long> NOT_RUNNING = AttributeKey.longKey("threadclock.not_running");
    static final AttributeKey<Long> ALLOCATED = AttributeKey.longKey("threadclock.memory.allocated");

    private final SpanCosts costs;
    private final boolean countsBytes;

    SpanCostProcessor(SpanCosts costs, boolean countsBytes) {
        this.costs = costs;
        this.countsBytes = countsBytes;
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        try {
            costs.begin(span, countsBytes);
        } catch (Throwable failed) { // no memory, no stack, another version
            costs.report("Measuring a span", failed);
        }
    }

    @Override
    public boolean isStartRequired() {
        return true;
    }

    @Override
    public void onEnding(ReadWriteSpan span) {
        try {
            SpanCost cost = costs.remove(span);
            AccountUsage usage = cost == null ? null : cost.end();
            if (usage != null) {
                tell(span, usage);
                span.setAttribute(SELF_TIME, cost.selfTimeNs(usage));
            }
        } catch (Throwable failed) { // no memory, no stack, another version
            costs.report("Telling what a span has cost", failed);
        }
    }

    private static void tell(ReadWriteSpan span, AccountUsage usage) {
        span.setAttribute(CPU_TIME, usage.cpuTimeNs());
        span.setAttribute(USER_TIME, usage.userTimeNs());
        span.setAttribute(SYSTEM_TIME, usage.systemTimeNs());
        if (usage.partsOfUnknownWaits() == 0) {
            span.setAttribute(RUN_DELAY, usage.runDelayNs());
            span.setAttribute(NOT_RUNNING, usage.notRunningNs());
        }
        if (usage.partsOfUnknownBytes() == 0) {
            span.setAttribute(ALLOCATED, usage.allocatedBytes());
        }
    }

    @Override
    public boolean isOnEndingRequired() {
        return true;
    }

    @Override
    public void onEnd(ReadableSpan span) {}

    @Override
    public boolean isEndRequired() {
        return false;
    }
}
