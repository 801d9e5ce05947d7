// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;

/** The open scopes of one thread, which alone uses it. */
final class ThreadScopes {
    /**
     * A thread may outlive this class and its loader, which strong references would keep in memory. Open scopes refer
     * to this.
     */
    private static final ThreadLocal<Reference<ThreadScopes>> OF_THREAD = new ThreadLocal<>();

    /** Null if there is none. */
    MeasuredScope innermost;

    private ThreadScopes() {}

    static ThreadScopes ofThisThread() {
        Reference<ThreadScopes> known = OF_THREAD.get();
        ThreadScopes mine = known == null ? null : known.get();
        return mine == null ? create() : mine;
    }

    private static ThreadScopes create() {
        ThreadScopes mine = new ThreadScopes();
        OF_THREAD.set(new WeakReference<>(mine));
        return mine;
    }

    /** Also closes scopes whose costs are over, so that scopes nobody closes do not pile up. */
    void add(MeasuredScope scope) {
        while (innermost != null && innermost.cost.isOver()) {
            innermost.closePart();
        }
        scope.outer = innermost;
        if (innermost != null) {
            innermost.inner = scope;
        }
        innermost = scope;
    }

    void remove(MeasuredScope scope) {
        if (scope.inner == null) {
            innermost = scope.outer;
        } else {
            scope.inner.outer = scope.outer;
        }
        if (scope.outer != null) {
            scope.outer.inner = scope.inner;
        }
    }
}
