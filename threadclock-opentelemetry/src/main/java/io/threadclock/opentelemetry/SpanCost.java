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
    private static final AtomicIntegerFieldUpdater<SpanCost> CLOSING =
            AtomicIntegerFieldUpdater.newUpdater(SpanCost.class, "closing");
    private static final AtomicIntegerFieldUpdater<SpanCost> CLOSED =
            AtomicIntegerFieldUpdater.newUpdater(SpanCost.class, "closed");

    /** Closing a part takes about a microsecond, unless its thread loses its CPU meanwhile. */
    private static final int MOST_TRIES = 100;

    final CpuAccount account;
    private final int hash;

    /** The number of scopes whose closing has begun, and of those that are closed. */
    private volatile int closing;

    private volatile int closed;
    private volatile boolean hasEnded;

    SpanCost(Span span, ReferenceQueue<Span> forgotten, boolean countsBytes) {
        super(span, forgotten);
        account = countsBytes ? CpuAccount.withAllocatedBytes() : new CpuAccount();
        hash = SpanCosts.hash(span);
    }

    void close(CpuAccount.Part part) {
        CLOSING.getAndIncrement(this);
        part.close();
        CLOSED.getAndIncrement(this);
    }

    boolean hasEnded() {
        return hasEnded;
    }

    /**
     * Ends the cost, and returns that of all scopes up to now, also of those that are still open. Null if nobody knows it:
     * because there was no scope, because one was in a thread that cannot be read, or because one was closing all the time.
     */
    AccountUsage end() {
        hasEnded = true;
        AccountUsage usage = readUnlessClosing();
        for (int tries = 1; usage == null && tries < MOST_TRIES; tries++) {
            Thread.yield();
            usage = readUnlessClosing();
        }
        return usage != null && usage.parts() > 0 && usage.unmeasuredParts() == 0 ? usage : null;
    }

    /** While a part of another thread is closing, the account lacks what it has used since the last reading. */
    private AccountUsage readUnlessClosing() {
        int before = closed;
        if (closing != before) {
            return null;
        }
        AccountUsage usage = account.read();
        return closing == before ? usage : null;
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
