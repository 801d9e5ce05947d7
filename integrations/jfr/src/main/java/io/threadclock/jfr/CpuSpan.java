// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import io.threadclock.CpuAccount;
import io.threadclock.diagnostics.FailureLog;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work whose cost is written into flight recordings, as an event {@code threadclock.Span}: its name, its
 * duration, and the figures of its {@link CpuAccount}.
 *
 * <pre>{@code
 * try (CpuSpan span = CpuSpan.begin("order.validate")) {
 *     span.trace(traceId, spanId); // optional
 *     Future<?> half = pool.submit(span.account().wrap(() -> validate(firstHalf)));
 *     validate(secondHalf);
 *     half.get();
 * }
 * }</pre>
 *
 * <p>What the thread does from {@link #begin} to {@link #close()} is a part of the account. Other threads add their
 * parts with {@link #account()}; those that still run when the span is closed are in its figures up to then
 * ({@link CpuAccount#close()}). Name and ids are contextual: tools of JDK 25 and newer print them with all other events
 * of the span's thread.
 *
 * <p>A span that began before the recording, or is shorter than the event's threshold, is not in it. It measures all
 * the same, except for allocated bytes, and costs a new account and a part of it. Nothing refuses work: a part that
 * cannot be measured is counted as unmeasured; a span that cannot be recorded, as in a runtime without the module
 * {@code jdk.jfr}, is measured only; and the first failure is logged.
 *
 * @since 0.1
 */
public final class CpuSpan implements AutoCloseable {
    private static final FailureLog FAILURES = new FailureLog("Spans may be missing in flight recordings.");

    private final CpuAccount account;
    private final CpuAccount.Part part;

    /** Null unless it has begun, and not been recorded. */
    private @Nullable SpanEvent event;

    private CpuSpan(String name) {
        event = begun(name);
        account = event != null ? CpuAccount.withAllocatedBytes() : new CpuAccount();
        part = account.enter(); // last, because the recorder takes its time over the first event
    }

    /** Null if nothing records such events. */
    private static @Nullable SpanEvent begun(String name) {
        try {
            SpanEvent event = new SpanEvent(name);
            if (event.isEnabled()) {
                event.begin();
                return event;
            }
        } catch (Throwable failed) { // no module jdk.jfr, no memory
            FAILURES.report("Beginning the event of a span", failed);
        }
        return null;
    }

    /**
     * Begins a span in the calling thread.
     *
     * @param name of the kind of work; use few different names, because the recording keeps each
     * @return to be closed by the same thread
     */
    public static CpuSpan begin(String name) {
        return new CpuSpan(Objects.requireNonNull(name, "name"));
    }

    /**
     * Tells which span of which trace this is, before it is closed.
     *
     * @param traceId for example 32 hexadecimal digits, as in W3C's header {@code traceparent}; null if there is none
     * @param spanId for example 16 hexadecimal digits; null if there is none
     * @return this
     */
    public CpuSpan trace(@Nullable String traceId, @Nullable String spanId) {
        if (event != null) {
            event.traceId = traceId;
            event.spanId = spanId;
        }
        return this;
    }

    /** {@return the account of this span, for parts in other threads, limits, and readings at any time} */
    public CpuAccount account() {
        return account;
    }

    /**
     * Ends the span, and records it. Does nothing if it has been closed already. If another thread than the one that
     * began it calls this, the span goes on, and the first such call is logged.
     */
    @Override
    public void close() {
        try {
            part.close();
            account.close();
            record();
        } catch (Throwable failed) { // another thread, no memory
            FAILURES.report("Closing a span", failed);
        }
    }

    private void record() {
        SpanEvent ended = event;
        event = null;
        if (ended == null) {
            return;
        }
        ended.end();
        if (ended.shouldCommit()) {
            ended.set(account.read());
            ended.commit();
        }
    }
}
