// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.ClockUnavailableException;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;

/**
 * The cost of one observation so far: the sum over its scopes, each in the thread that opened it. A scope inside
 * another one of the same observation and thread counts once. Thread-safe.
 */
final class ScopeTimes {
    /**
     * The first scope of each thread that has one. Nearly always there is a single one, which is found faster than in a
     * map.
     */
    private Scope firstOpen;

    private long userNs;
    private long systemNs;
    private boolean isRead;

    /** True if some of the cost was in a thread that cannot be read, so that the sum would be too small. */
    private boolean isUnknown;

    synchronized void open() {
        Scope scope = ofThisThread();
        if (scope != null) {
            scope.depth++;
            return;
        }
        CpuTimes begin = readOrNull();
        if (begin == null) {
            isUnknown = true;
        } else {
            firstOpen = new Scope(begin, firstOpen);
        }
    }

    synchronized void close() {
        Scope scope = ofThisThread();
        if (scope != null && --scope.depth == 0) {
            end(scope);
        }
    }

    /** Ends all of this thread's scopes at once. */
    synchronized void reset() {
        Scope scope = ofThisThread();
        if (scope != null) {
            end(scope);
        }
    }

    /** Ends a scope that is open in this thread. The cost of one that is open in another thread stays unknown. */
    synchronized void stop() {
        reset();
        isUnknown |= firstOpen != null;
    }

    /** Whether there was any scope, and all of them have been read. */
    synchronized boolean isMeasured() {
        return isRead && !isUnknown;
    }

    synchronized long userNs() {
        return userNs;
    }

    synchronized long systemNs() {
        return systemNs;
    }

    private Scope ofThisThread() {
        Thread thread = Thread.currentThread();
        Scope scope = firstOpen;
        while (scope != null && scope.thread != thread) {
            scope = scope.next;
        }
        return scope;
    }

    private void end(Scope scope) {
        remove(scope);
        CpuTimes now = readOrNull();
        if (now == null) {
            isUnknown = true;
            return;
        }
        userNs += now.userTimeNs() - scope.begin.userTimeNs();
        systemNs += now.systemTimeNs() - scope.begin.systemTimeNs();
        isRead = true;
    }

    private void remove(Scope scope) {
        if (scope == firstOpen) {
            firstOpen = scope.next;
            return;
        }
        Scope before = firstOpen;
        while (before.next != scope) {
            before = before.next;
        }
        before.next = scope.next;
    }

    private static CpuTimes readOrNull() {
        try {
            return ThreadClock.canRead() ? ThreadClock.read() : null;
        } catch (ClockUnavailableException | UnsupportedOperationException refused) {
            return null;
        }
    }

    private static final class Scope {
        final Thread thread = Thread.currentThread();
        final CpuTimes begin;
        Scope next;
        int depth = 1;

        Scope(CpuTimes begin, Scope next) {
            this.begin = begin;
            this.next = next;
        }
    }
}
