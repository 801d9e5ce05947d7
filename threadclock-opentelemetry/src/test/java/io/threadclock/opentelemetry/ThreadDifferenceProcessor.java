// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import com.sun.jna.Library;
import com.sun.jna.Native;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.internal.ExtendedSpanProcessor;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Measures spans as RETIT's extension does: CPU time of the thread and the thread's id at the start and at the end, as four
 * attributes, by {@code ThreadMXBean}, or in a virtual thread by the carrier's clock through JNA. Who reads the span
 * subtracts, if both ids are the same.
 */
final class ThreadDifferenceProcessor implements ExtendedSpanProcessor {
    private static final AttributeKey<Long> START_CPU_TIME = AttributeKey.longKey("start.cpu.time");
    private static final AttributeKey<Long> END_CPU_TIME = AttributeKey.longKey("end.cpu.time");
    private static final AttributeKey<Long> START_THREAD = AttributeKey.longKey("start.thread");
    private static final AttributeKey<Long> END_THREAD = AttributeKey.longKey("end.thread");

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int CLOCK_THREAD_CPUTIME_ID = 3;
    private static final long NS_PER_SECOND = 1_000_000_000;

    /** The C library. */
    public interface LibC extends Library {
        /** {@return 0 if {@code time} has seconds and ns now} */
        int clock_gettime(int clock, long[] time);
    }

    /** It is loaded when a virtual thread is measured. */
    private static final class Loaded {
        static final LibC LIBC = Native.load("c", LibC.class);
    }

    @SuppressWarnings("deprecation") // threadId() is not in Java 8
    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        span.setAttribute(START_CPU_TIME, cpuTimeNs());
        span.setAttribute(START_THREAD, Thread.currentThread().getId());
    }

    @SuppressWarnings("deprecation")
    @Override
    public void onEnding(ReadWriteSpan span) {
        span.setAttribute(END_CPU_TIME, cpuTimeNs());
        span.setAttribute(END_THREAD, Thread.currentThread().getId());
    }

    /** What the reader of a span makes of it: not a number if another thread has ended it. */
    static double toldNs(Attributes attributes) {
        boolean isOfOneThread = attributes.get(START_THREAD).equals(attributes.get(END_THREAD));
        return isOfOneThread ? attributes.get(END_CPU_TIME) - attributes.get(START_CPU_TIME) : Double.NaN;
    }

    private static long cpuTimeNs() {
        long ns = THREADS.getCurrentThreadCpuTime();
        return ns == -1 ? carrierCpuTimeNs() : ns;
    }

    private static long carrierCpuTimeNs() {
        long[] time = new long[2];
        return Loaded.LIBC.clock_gettime(CLOCK_THREAD_CPUTIME_ID, time) == 0 ? time[0] * NS_PER_SECOND + time[1] : -1;
    }

    @Override
    public boolean isStartRequired() {
        return true;
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
