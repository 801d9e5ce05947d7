// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** The cost of one span: an account, of which its scopes are the parts, each in the thread that opened it. Thread-safe. */
final class SpanCost extends WeakReference<Span> {
    private static final AtomicIntegerFieldUpdater<SpanCost> OPEN =
            AtomicIntegerFieldUpdater.newUpdater(SpanCost.class, "open");
    private static final int ENDED = Integer.MIN_VALUE / 2;

    final CpuAccount account;
    private final int hash;

    /** The number of open scopes; less than 0 if the span has ended. */
    private volatile int open;

    SpanCost(Span span, ReferenceQueue<Span> forgotten, boolean countsBytes) {
        super(span, forgotten);
        account = countsBytes ? CpuAccount.withAllocatedBytes() : new CpuAccount();
        hash = SpanCosts.hash(span);
    }

    /** Announces a scope, and returns whether the span has not ended. */
    boolean open() {
        return OPEN.getAndIncrement(this) >= 0;
    }

    /** Is called after the part of the scope has ended. */
    void close() {
        OPEN.getAndDecrement(this);
    }

    boolean hasEnded() {
        return open < 0;
    }

    /**
     * Ends this thread's scopes, and returns the cost of all. Null if nobody knows it: because there was no scope, because
     * one was in a thread that cannot be read, or because one is still open in another thread.
     */
    AccountUsage end() {
        if (open > 0) {
            ThreadScopes.ofThisThread().close(this);
        }
        if (OPEN.getAndSet(this, ENDED) > 0) {
            return null;
        }
        AccountUsage usage = account.read();
        return usage.parts() > 0 && usage.unmeasuredParts() == 0 ? usage : null;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }
}
