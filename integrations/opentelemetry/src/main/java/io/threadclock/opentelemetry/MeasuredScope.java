// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.context.Scope;
import io.threadclock.CpuAccount;

/**
 * A scope that is a part of the cost of its span. Only the thread that opened it can close it, as with other scopes: if
 * another one does, as Kotlin's coroutines may, it stays open, and what the span has cost is lost.
 */
final class MeasuredScope implements Scope {
    final SpanCost cost;

    /** The next open scope of this thread outwards. */
    MeasuredScope outer;

    /** The open scope of which this is the outer one. */
    MeasuredScope inner;

    private final SpanCosts costs;
    private final Scope scope;
    private final ThreadScopes ofThread = ThreadScopes.ofThisThread();
    private final CpuAccount.Part part;
    private boolean isOpen = true;

    MeasuredScope(SpanCosts costs, SpanCost cost, Scope scope) {
        this.costs = costs;
        this.cost = cost;
        this.scope = scope;
        part = cost.account.enter();
        ofThread.add(this);
    }

    @Override
    public void close() {
        try {
            if (ThreadScopes.ofThisThread() == ofThread) {
                closePart();
            } else {
                cost.lose();
            }
        } catch (Throwable failed) { // no memory, no stack
            costs.report("Measuring a span", failed);
        }
        scope.close();
    }

    /** Is called by the thread that opened it. */
    void closePart() {
        if (isOpen) {
            isOpen = false;
            ofThread.remove(this);
            long cpuNs = part.end();
            if (outer != null && cpuNs > 0) {
                outer.cost.addInner(cpuNs);
            }
        }
    }
}
