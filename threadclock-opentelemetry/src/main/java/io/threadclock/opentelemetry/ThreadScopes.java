// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

/** The open scopes of one thread, which alone uses it. */
final class ThreadScopes {
    private static final ThreadLocal<ThreadScopes> OF_THREAD = ThreadLocal.withInitial(ThreadScopes::new);

    /** Null if there is none. */
    MeasuredScope innermost;

    private ThreadScopes() {}

    static ThreadScopes ofThisThread() {
        return OF_THREAD.get();
    }

    /** Also closes scopes whose spans have ended, so that scopes nobody closes do not pile up. */
    void add(MeasuredScope scope) {
        while (innermost != null && innermost.cost.hasEnded()) {
            innermost.closePart();
        }
        scope.outer = innermost;
        innermost = scope;
    }

    void remove(MeasuredScope scope) {
        if (scope == innermost) {
            innermost = scope.outer;
            return;
        }
        MeasuredScope inner = innermost;
        while (inner.outer != scope) {
            inner = inner.outer;
        }
        inner.outer = scope.outer;
    }
}
