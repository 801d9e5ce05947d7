// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.ClockUnavailableException;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import java.util.HashMap;
import java.util.Map;

/**
 * What one observation has cost so far: the sum over its scopes, each in the thread that opened it. A scope inside
 * another one of the same observation and thread counts once. Thread-safe.
 */
final class ScopeTimes {
    private final Map<Thread, Scope> open = new HashMap<>();
    private long userNs;
    private long systemNs;
    private boolean isMeasured;

    synchronized void open() {
        Scope scope = open.get(Thread.currentThread());
        if (scope != null) {
            scope.depth++;
            return;
        }
        CpuTimes begin = readOrNull();
        if (begin != null) {
            open.put(Thread.currentThread(), new Scope(begin));
        }
    }

    synchronized void close() {
        Scope scope = open.get(Thread.currentThread());
        if (scope != null && --scope.depth == 0) {
            end(scope);
        }
    }

    /** All of this thread's at once. */
    synchronized void reset() {
        Scope scope = open.get(Thread.currentThread());
        if (scope != null) {
            end(scope);
        }
    }

    /** False: no scope has been closed in a thread that can be read, so nothing is known. */
    synchronized boolean isMeasured() {
        return isMeasured;
    }

    synchronized long userNs() {
        return userNs;
    }

    synchronized long systemNs() {
        return systemNs;
    }

    private void end(Scope scope) {
        open.remove(Thread.currentThread());
        CpuTimes now = readOrNull();
        if (now != null) {
            userNs += now.userTimeNs() - scope.begin.userTimeNs();
            systemNs += now.systemTimeNs() - scope.begin.systemTimeNs();
            isMeasured = true;
        }
    }

    private static CpuTimes readOrNull() {
        try {
            return ThreadClock.canRead() ? ThreadClock.read() : null;
        } catch (ClockUnavailableException refused) {
            return null;
        }
    }

    private static final class Scope {
        final CpuTimes begin;
        int depth = 1;

        Scope(CpuTimes begin) {
            this.begin = begin;
        }
    }
}
