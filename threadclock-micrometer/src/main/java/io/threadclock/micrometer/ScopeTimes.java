// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.diagnostics.FailureLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The cost of one observation: an account, of which its scopes are the parts, each in the thread that opened it.
 * Thread-safe.
 */
final class ScopeTimes {
    /**
     * The parts of this thread that were open when their observations were stopped in other threads. Only this thread can
     * close them, when it opens its next scope: otherwise it would have ever more parts, if nobody closes its scopes.
     */
    private static final WeakThreadLocal<Queue<CpuAccount.Part>> LEFT =
            new WeakThreadLocal<>(ConcurrentLinkedQueue::new);

    private static final FailureLog FAILURES =
            new FailureLog("Tasks run all the same, and observations may lack their cost.");

    /** Of which observations the wrapped task is a part that the thread runs. Set no longer than it runs. */
    private static final ThreadLocal<List<ScopeTimes>> OF_TASK = new ThreadLocal<>();

    final CpuAccount account = new CpuAccount();

    /** The open scopes. Nearly always there is a single one, which is found faster than in a map. */
    private final List<Scope> open = new ArrayList<>(1);

    /** The handlers that have seen the observation stop. */
    private final List<MeasuringHandler> told = new ArrayList<>(1);

    private boolean isStopped;
    private AccountUsage usage;

    /**
     * Returns the times of the calling thread's current observation, of those that it is a part of, and of those of which the
     * wrapped task is a part that the thread runs. The last ones only until they stop: a task that hands itself on for ever
     * would keep them in memory.
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
        return current;
    }

    /** Begins a task that is a part of all of these, and returns of which another one is a part that the thread runs, or null. */
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

    /** A scope that is opened after the stop is late. */
    synchronized void open() {
        if (isStopped) {
            account.close();
        }
        Queue<CpuAccount.Part> left = LEFT.get();
        for (CpuAccount.Part part = left.poll(); part != null; part = left.poll()) {
            part.close();
        }
        open.add(new Scope(account.enter(), left));
    }

    /** Closes the innermost scope of this thread, and returns whether there was one. */
    synchronized boolean close() {
        Thread thread = Thread.currentThread();
        for (int i = open.size() - 1; i >= 0; i--) {
            if (open.get(i).thread == thread) {
                open.remove(i).part.close();
                return true;
            }
        }
        return false;
    }

    /** Closes all of this thread's scopes at once. */
    synchronized void reset() {
        boolean isClosed;
        do {
            isClosed = close();
        } while (isClosed);
    }

    /**
     * Closes the scopes of this thread, and returns the cost of all scopes up to now, also of those that are still open in other
     * threads. Null if nobody knows it: because there was no scope, or because one was in a thread that cannot be read. All
     * calls return what the first one does.
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

    /** Nobody knows the cost from now on, because a scope could not be measured. Changes nothing after the stop. */
    synchronized void lose() {
        isStopped = true;
    }

    private AccountUsage usageAtStop() {
        reset();
        if (!open.isEmpty()) {
            account.close();
            open.forEach(scope -> scope.left.add(scope.part));
        }
        AccountUsage read = account.read();
        return read.parts() > 0 && read.unmeasuredParts() == 0 ? read : null;
    }

    private static final class Scope {
        final Thread thread = Thread.currentThread();
        final CpuAccount.Part part;
        final Queue<CpuAccount.Part> left;

        Scope(CpuAccount.Part part, Queue<CpuAccount.Part> left) {
            this.part = part;
            this.left = left;
        }
    }
}
