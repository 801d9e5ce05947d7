// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.transport.RequestReplyReceiverContext;
import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.diagnostics.FailureLog;
import java.util.ArrayList;
import java.util.List;

/**
 * The cost of one observation: an account, of which its scopes are the parts, each in the thread that opened it. A
 * scope pauses while one of an unrelated observation is open inside of it. If it is then still open at the stop, its
 * thread may have had other work since long: Kotlin's coroutines may close another thread's scope instead. Then nobody
 * knows the cost. Thread-safe.
 */
final class ScopeTimes {
    private static final FailureLog FAILURES =
            new FailureLog("Tasks run all the same, and observations may lack their cost.");

    /** The observations of which the wrapped task that the thread runs is a part. Set no longer than it runs. */
    private static final ThreadLocal<List<ScopeTimes>> OF_TASK = new ThreadLocal<>();

    final CpuAccount account = new CpuAccount();

    /** The same one for all observations that are parts of one. */
    private final Object root;

    /** The open scopes. Nearly always there is a single one, which is found faster than in a map. */
    private final List<ThreadScopes.Scope> open = new ArrayList<>(1);

    /** The handlers that have seen the observation stop. */
    private final List<MeasuringHandler> told = new ArrayList<>(1);

    private boolean isStopped;
    private boolean isLost;
    private AccountUsage usage;

    ScopeTimes(Observation.ContextView context) {
        root = rootOf(context);
    }

    /**
     * A server's request is no part of another one, even if a scope that was left open in its thread says so. An
     * observation that begins in a wrapped task is a part of what the task is a part of.
     */
    private static Object rootOf(Observation.ContextView context) {
        boolean isRequest = context instanceof RequestReplyReceiverContext;
        Object root = null;
        for (ObservationView parent = context.getParentObservation(); parent != null && (root == null || isRequest); ) {
            Observation.ContextView outer = parent.getContextView();
            if (isRequest && outer.getClass() == context.getClass()) {
                return new Object();
            }
            ScopeTimes times = outer.get(ScopeTimes.class);
            root = root == null && times != null ? times.root : root;
            parent = outer.getParentObservation();
        }
        List<ScopeTimes> ofTask = OF_TASK.get();
        root = root == null && !isRequest && ofTask != null ? ofTask.get(0).root : root;
        return root == null ? new Object() : root;
    }

    /**
     * Returns the times of the calling thread's current observation, of those that it is a part of, and of those of
     * which the wrapped task is a part that the thread runs. The last ones only until they stop: a task that hands
     * itself on for ever would keep them in memory.
     */
    static List<ScopeTimes> current(ObservationRegistry observations) {
        List<ScopeTimes> current = new ArrayList<>(2);
        for (ObservationView part = observations.getCurrentObservation(); part != null; ) {
            ScopeTimes times = part.getContextView().get(ScopeTimes.class);
            if (times != null) {
                current.add(times);
            }
            part = part.getContextView().getParentObservation();
        }
        List<ScopeTimes> ofTask = OF_TASK.get();
        if (ofTask != null) {
            ofTask.stream()
                    .filter(times -> !current.contains(times) && !times.isStopped())
                    .forEach(current::add);
        }
        ThreadScopes.ofThisThread().keepRunning(current);
        return current;
    }

    /**
     * Begins a task that is a part of all of these, and returns of which another one is a part that the thread runs, or
     * null.
     */
    static List<ScopeTimes> openAll(List<ScopeTimes> all) {
        List<ScopeTimes> outer = null;
        try {
            outer = OF_TASK.get();
            OF_TASK.set(all);
        } catch (Throwable failed) { // no memory, no stack
            all.forEach(ScopeTimes::lose);
        }
        for (int i = all.size() - 1; i >= 0; i--) {
            all.get(i).guard(all.get(i)::open);
        }
        return outer;
    }

    static void closeAll(List<ScopeTimes> all, List<ScopeTimes> outer) {
        for (ScopeTimes times : all) {
            times.guard(times::close);
        }
        if (outer == null) {
            OF_TASK.remove();
        } else {
            OF_TASK.set(outer);
        }
    }

    /** The task's thread is the program's, which no failure of this reaches. */
    private void guard(Runnable action) {
        try {
            action.run();
        } catch (Throwable failed) { // no memory, no stack
            lose();
            FAILURES.report("Measuring a task for the observation that it is a part of", failed);
        }
    }

    synchronized boolean isStopped() {
        return isStopped;
    }

    boolean isPartOfTheSameAs(ScopeTimes other) {
        return root == other.root;
    }

    /** A scope that is opened after the stop is late. */
    synchronized void open() {
        if (isStopped) {
            account.close();
        }
        open.add(ThreadScopes.ofThisThread().add(this));
    }

    /**
     * Closes the innermost scope of this thread. If there is none, its own thread goes on with it, and another one's is
     * missing.
     */
    synchronized void close() {
        ThreadScopes mine = ThreadScopes.ofThisThread();
        ThreadScopes.Scope scope = innermost(mine);
        isLost |= scope == null || scope.isPaused();
        if (scope != null) {
            if (!isStopped) {
                mine.doubtInside(scope);
            }
            remove(scope);
            mine.resume();
        }
    }

    private ThreadScopes.Scope innermost(ThreadScopes mine) {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (open.get(i).ofThread == mine) {
                return open.get(i);
            }
        }
        return null;
    }

    private void remove(ThreadScopes.Scope scope) {
        open.remove(scope);
        scope.ofThread.remove(scope);
    }

    /** Closes all of this thread's scopes at once. */
    synchronized void reset() {
        ThreadScopes mine = ThreadScopes.ofThisThread();
        for (ThreadScopes.Scope scope = innermost(mine); scope != null; scope = innermost(mine)) {
            remove(scope);
        }
        mine.resume();
    }

    /**
     * Closes the scopes of this thread, and returns the cost of all scopes up to now, also of those that are still open
     * in other threads. Null if nobody knows it: because there was no scope, because one was in a thread that cannot be
     * read, or because one is open of which other work has shown that it should not be. All calls return what the first
     * one does.
     */
    synchronized AccountUsage stop() {
        if (!isStopped) {
            isStopped = true;
            usage = usageAtStop();
        }
        return usage;
    }

    /** Whether this is the first time that the handler sees the observation stop. */
    synchronized boolean isFirstStop(MeasuringHandler handler) {
        return !told.contains(handler) && told.add(handler);
    }

    /** Nobody knows the cost, because a scope could not be measured. Changes nothing after the stop. */
    synchronized void lose() {
        isLost = true;
    }

    private AccountUsage usageAtStop() {
        open.forEach(scope -> isLost |= scope.isDoubtful);
        reset();
        if (!open.isEmpty()) {
            account.close();
            open.forEach(scope -> scope.ofThread.leave(scope));
        }
        AccountUsage read = account.read();
        return !isLost && read.parts() > 0 && read.unmeasuredParts() == 0 ? read : null;
    }
}
