// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cost of one span: an account, of which its scopes are the parts, each in the thread that opened it. Thread-safe.
 */
final class SpanCost extends WeakReference<Span> {
    final CpuAccount account;
    private final int hash;

    /** CPU time of other spans' scopes inside of this one's, in ns. */
    private final AtomicLong innerNs = new AtomicLong();

    private volatile boolean hasEnded;
    private volatile boolean isLost;

    SpanCost(Span span, ReferenceQueue<Span> forgotten, boolean countsBytes) {
        super(span, forgotten);
        account = countsBytes ? CpuAccount.withAllocatedBytes() : new CpuAccount();
        hash = SpanCosts.hash(span);
    }

    void addInner(long cpuNs) {
        innerNs.addAndGet(cpuNs);
    }

    /**
     * The part of the CPU time that no other span's scope inside of this one's has, of scopes that have been closed.
     */
    long selfTimeNs(AccountUsage usage) {
        return Math.max(0, usage.cpuTimeNs() - innerNs.get());
    }

    /** Whether nothing that follows counts. */
    boolean isOver() {
        return hasEnded || isLost;
    }

    /** Nobody knows it, because a thread goes on with one of the scopes. */
    void lose() {
        isLost = true;
    }

    /**
     * Ends the cost, and returns that of all scopes up to now, also of those that are still open. Null if nobody knows
     * it: because there was no scope, because one was in a thread that cannot be read, or because another thread closed
     * one.
     */
    AccountUsage end() {
        hasEnded = true;
        account.close();
        AccountUsage usage = account.read();
        return !isLost && usage.parts() > 0 && usage.unmeasuredParts() == 0 ? usage : null;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** A span has one cost, also if a file names the processor twice. */
    @Override
    public boolean equals(Object other) {
        Span span = get();
        return this == other || span != null && other instanceof SpanCost && ((SpanCost) other).get() == span;
    }
}
