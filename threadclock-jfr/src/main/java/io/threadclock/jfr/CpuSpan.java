// SPDX-License-Identifier: Apache-2.0
package io.threadclock.jfr;

import io.threadclock.CpuAccount;
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
 * <p>What the thread does from {@link #begin} to {@link #close()} is a part of the account. Other threads add their parts
 * with {@link #account()}; those that still run when the span is closed are in its figures up to then. Name and ids are
 * contextual: tools of JDK 25 and newer print them with all other events of the span's thread.
 *
 * <p>A span that began before the recording, or is shorter than the event's threshold, is not in it. It measures all the
 * same, except for allocated bytes, and costs a new account and a part of it. Nothing refuses work: a part that cannot be
 * measured is counted as unmeasured.
 *
 * @since 0.1
 */
public final class CpuSpan implements AutoCloseable {
    private final CpuAccount account;
    private final SpanEvent event;
    private final CpuAccount.Part part;

    /** Whether the event has begun, and not been recorded. */
    private boolean isPending;

    private CpuSpan(String name) {
        event = new SpanEvent(name);
        isPending = event.isEnabled();
        account = isPending ? CpuAccount.withAllocatedBytes() : new CpuAccount();
        if (isPending) {
            event.begin();
        }
        part = account.enter(); // last, because the recorder takes its time over the first event
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
        event.traceId = traceId;
        event.spanId = spanId;
        return this;
    }

    /** {@return the account of this span, for parts in other threads, limits, and readings at any time} */
    public CpuAccount account() {
        return account;
    }

    /**
     * Ends the span, and records it. Does nothing if it has been closed already.
     *
     * @throws IllegalStateException if another thread than the one that began it calls this; the span goes on
     */
    @Override
    public void close() {
        part.close();
        if (!isPending) {
            return;
        }
        isPending = false;
        event.end();
        if (event.shouldCommit()) {
            event.set(account.read());
            event.commit();
        }
    }
}
