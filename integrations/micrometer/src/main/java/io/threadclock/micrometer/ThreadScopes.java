// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.CpuAccount;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The open scopes of one thread, which alone uses it, unless a method says otherwise. Open scopes keep it in memory.
 */
final class ThreadScopes {
    private static final WeakThreadLocal<ThreadScopes> OF_THREAD = new WeakThreadLocal<>(ThreadScopes::new);

    /**
     * The scopes that were open when their observations were stopped in other threads. Only this thread can close them,
     * when it opens its next scope: otherwise it would have ever more parts, if nobody closes its scopes.
     */
    private final Queue<Scope> left = new ConcurrentLinkedQueue<>();

    /** Null if there is none. */
    private Scope innermost;

    private ThreadScopes() {}

    static ThreadScopes ofThisThread() {
        return OF_THREAD.get();
    }

    /** Called by the thread that stops the observation. */
    void leave(Scope scope) {
        left.add(scope);
    }

    /** Opens a scope. What is open, and running, pauses up to a scope of an observation that belongs to this one's. */
    Scope add(ScopeTimes times) {
        for (Scope scope = left.poll(); scope != null; scope = left.poll()) {
            remove(scope);
        }
        for (Scope scope = innermost; scope != null && !scope.isPaused(); scope = scope.outer) {
            if (scope.times.isPartOfTheSameAs(times)) {
                break;
            }
            scope.pause();
        }
        innermost = new Scope(times, this);
        return innermost;
    }

    /**
     * Leaves in the list what belongs to the innermost scope, if anything does: the others are paused, and this work is
     * not theirs.
     */
    void keepRunning(List<ScopeTimes> all) {
        if (innermost != null && all.stream().anyMatch(innermost.times::isPartOfTheSameAs)) {
            all.removeIf(times -> !innermost.times.isPartOfTheSameAs(times));
        }
    }

    /** Closes a scope that may have been closed already. */
    void remove(Scope scope) {
        scope.closePart();
        if (scope == innermost) {
            innermost = scope.outer;
            return;
        }
        for (Scope inner = innermost; inner != null; inner = inner.outer) {
            if (inner.outer == scope) {
                inner.outer = scope.outer;
                return;
            }
        }
    }

    /**
     * Scopes that are open inside of one that closes should have been closed before. That one is an open one of this
     * thread.
     */
    void doubtInside(Scope closing) {
        for (Scope inner = innermost; inner != closing; inner = inner.outer) {
            inner.isDoubtful = true;
        }
    }

    /** Goes on with the innermost scope, and with those around it that belong to it, if they are paused. */
    void resume() {
        for (Scope scope = innermost; scope != null && scope.isPaused(); scope = scope.outer) {
            if (!scope.times.isPartOfTheSameAs(innermost.times)) {
                return;
            }
            scope.part = scope.times.account.enter();
        }
    }

    /** One open scope. */
    static final class Scope {
        final ThreadScopes ofThread;

        /** Whether other work in this thread has shown that it should have been closed, if it has not been by now. */
        volatile boolean isDoubtful;

        private final ScopeTimes times;
        private Scope outer;

        /** Null while it is paused. */
        private CpuAccount.Part part;

        private Scope(ScopeTimes times, ThreadScopes ofThread) {
            this.times = times;
            this.ofThread = ofThread;
            outer = ofThread.innermost;
            part = times.account.enter();
        }

        boolean isPaused() {
            return part == null;
        }

        private void pause() {
            isDoubtful = true;
            closePart();
        }

        private void closePart() {
            if (part != null) {
                part.close();
                part = null;
            }
        }
    }
}
